import CameraMedia
import CameraProtocol
import Testing

@testable import CameraDevices

@Suite("The pacing of a live source")
struct LivePacingTests {
    let start = HostTime(nanoseconds: 1_000_000_000)

    private func time(_ milliseconds: UInt64) -> HostTime { start.advanced(by: milliseconds * 1_000_000) }

    @Test("is exact after a month at 30000/1001, in both directions")
    func exactness() throws {
        let clock = FrameClock(start: start, rate: try #require(FrameRate(30000, 1001)))
        let frame: UInt64 = 30000 * 3600 * 24 * 30
        #expect(clock.time(of: frame) == start.advanced(by: 1001 * 3600 * 24 * 30 * 1_000_000_000))
        for frame in frame..<(frame + 100) {
            let due = clock.time(of: frame)
            #expect(clock.frame(at: due) == frame)
            #expect(clock.frame(at: HostTime(nanoseconds: due.nanoseconds - 1)) == frame - 1)
        }
    }

    @Test("counts frames whose time has passed as lost, and does not make up for them")
    func late() throws {
        var pacing = LivePacing(rate: try #require(FrameRate(10)), start: start)
        #expect(pacing.woke(at: time(3)).sequence == 0)
        #expect(pacing.delivered().isEmpty)
        #expect(pacing.woke(at: time(350)) == LivePacing.Frame(sequence: 3, due: time(300)))
        #expect(pacing.delivered() == DropCounts(.source, 2))
        #expect(pacing.nextDue == time(400))
    }

    @Test("carries what could not be produced on the next frame")
    func dropped() throws {
        var pacing = LivePacing(rate: try #require(FrameRate(10)), start: start)
        _ = pacing.woke(at: time(0))
        pacing.dropped(.outOfBuffers)
        _ = pacing.woke(at: time(100))
        pacing.dropped(.outOfBuffers)
        _ = pacing.woke(at: time(200))
        #expect(pacing.delivered() == DropCounts(.outOfBuffers, 2))
        #expect(pacing.delivered().isEmpty)
    }

    @Test("goes on by the clock after a rest, without a loss")
    func rest() throws {
        var pacing = LivePacing(rate: try #require(FrameRate(10)), start: start)
        _ = pacing.woke(at: time(0))
        pacing.dropped(.outOfBuffers)
        pacing.resumed(at: time(10_050))
        #expect(pacing.woke(at: pacing.nextDue).sequence == 101)
        #expect(pacing.delivered().isEmpty)
    }
}
