import CameraCapture
import CameraMedia
import CameraProtocol
import Glibc
import Testing

@testable import CameraDevices

@Suite("A camera's stream")
struct V4L2StreamingTests {
    @Test("counts from 0, with the driver's gaps, past the end of its counter")
    func sequence() {
        var tracker = V4L2SequenceTracker()
        let results = [UInt32.max - 3, .max - 2, .max, 0, 3].map { tracker.received(counter: $0) }
        #expect(results.map(\.sequence) == [0, 1, 3, 4, 7])
        #expect(results.map(\.lost) == [0, 0, 1, 0, 2])
    }

    @Test("counts by itself once the driver's counter stands still or goes back", arguments: [UInt32(7), 3])
    func untrusted(counter: UInt32) {
        var tracker = V4L2SequenceTracker()
        let results = [7, counter, 9, 20].map { tracker.received(counter: $0) }
        #expect(results.map(\.sequence) == [0, 1, 2, 3])
        #expect(results.allSatisfy { $0.lost == 0 })
    }

    @Test("leaves out frames only if more than two wait and nobody wants all")
    func selection() {
        #expect((0...4).map { V4L2FrameSelection.outdatedCount(waiting: $0, wantsAll: false) } == [0, 0, 0, 2, 3])
        #expect(V4L2FrameSelection.outdatedCount(waiting: 4, wantsAll: true) == 0)
    }

    @Test("knows when the driver has no buffers, and that it is gone when it refuses one")
    func account() {
        var account = V4L2BufferAccount(queuedCount: 2)
        #expect((0..<2).map { _ in account.dequeued() } == [false, false])
        #expect(account.isStarved)
        #expect([0, 0].map { account.returned($0) } == [true, false])
        #expect((0..<2).map { _ in account.dequeued() } == [true, false])
        #expect([ENODEV, EIO].map { account.returned($0) } == [true, false])
        #expect(!account.isStarved && account.failure == ENODEV && account.queuedCount == 0)
    }

    @Test("counts as stalled after ten intervals, but not before five seconds")
    func watchdog() {
        let start = HostTime(nanoseconds: 0)
        var fast = V4L2Watchdog(frameRate: .thirty, now: start)
        #expect(fast.stallsAt.nanoseconds == 10_000_000_000)
        fast.reset(now: start)
        #expect(fast.stallsAt.nanoseconds == 5_000_000_000)
        var slow = V4L2Watchdog(frameRate: FrameRate(1, 2), now: start)
        slow.reset(now: start)
        #expect(slow.stallsAt.nanoseconds == 20_000_000_000)
    }

    @Test("from what is no camera is refused with a reason")
    func refusal() {
        func code(_ path: String) -> CaptureInputError.Code? {
            let session = CaptureSession()
            session.addInput(V4L2Input(devicePath: path))
            let error = #expect(throws: CaptureInputError.self) { try session.start() }
            #expect(error?.subject == path)
            return error?.code
        }
        #expect(code("/dev/video-none") == .notFound)
        #expect(code("/dev/null") == .notACaptureDevice)
    }
}
