import CameraCapture
import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@testable import CameraDevices

@Suite("The test pattern")
struct TestPatternTests {
    private func bytes(_ width: UInt32, _ height: UInt32, frame: UInt64) throws -> [UInt8] {
        let painter = TestPatternPainter(size: PixelSize(width: width, height: height), rate: .thirty)
        return try painter.makePicture(of: frame, pool: MemoryPool(limit: 1)).packedBytes()
    }

    @Test("depends on the frame number alone, and every frame differs from the next")
    func determinism() throws {
        for frame in [0, 1, 29, 12_345_678, UInt64.max - 1] {
            #expect(try bytes(320, 240, frame: frame) == bytes(320, 240, frame: frame))
            #expect(try bytes(320, 240, frame: frame) != bytes(320, 240, frame: frame + 1))
        }
    }

    @Test("shows the frame's number and nominal time")
    func text() throws {
        let rate = try #require(FrameRate(30000, 1001))
        let painter = TestPatternPainter(size: PixelSize(width: 64, height: 64), rate: rate)
        #expect(painter.text(of: 0) == "00000000 00:00:00.000")
        #expect(painter.text(of: 123) == "00000123 00:00:04.104")
        #expect(painter.text(of: 30000 * 60) == "01800000 16:41:00.000")
    }

    @Test("can be painted at any size", arguments: [(1, 1), (1, 9), (9, 1), (7, 5), (16, 16), (127, 33), (641, 359)])
    func sizes(width: UInt32, height: UInt32) throws {
        let painter = TestPatternPainter(size: PixelSize(width: width, height: height), rate: .thirty)
        for frame in 0..<400 {
            let picture = try painter.makePicture(of: UInt64(frame), pool: MemoryPool(limit: 1))
            #expect(picture.size == painter.size)
        }
    }

    @Test("is delivered in order with its gaps counted, at the size of the preset")
    func delivery() throws {
        let (session, output) = (CaptureSession(), RecordingOutput())
        session.sessionPreset = .low
        session.frameRate = FrameRate(200)
        session.addInput(TestPatternInput())
        session.addOutput(output)
        try session.start()
        let samples = output.waitForSamples(5)
        session.stopRunning()
        #expect(samples.count >= 5)
        #expect(SampleBuffer.gapsEqualDrops(output.samples))
        #expect(samples.allSatisfy { $0.size == PixelSize(width: 320, height: 180) })
        #expect(
            output.formats == [
                CaptureFormat(
                    size: PixelSize(width: 320, height: 180), frameRate: FrameRate(200), pixelFormat: .i420,
                    colorimetry: .webp)
            ])
    }

    @Test("drops frames as outOfBuffers while consumers hold all buffers, and goes on when they let go")
    func buffers() throws {
        let (session, keeper) = (CaptureSession(), RecordingOutput())
        session.frameRate = FrameRate(500)
        session.addInput(TestPatternInput(size: PixelSize(width: 16, height: 16)))
        session.addOutput(keeper)
        try session.start()
        defer { session.stopRunning() }
        let limit = TestPatternInput.bufferLimit
        var drops = DropCounts()
        while drops[.outOfBuffers] == 0 {
            try #require(keeper.waitForSamples(limit).count == limit)
            let last = try #require(keeper.samples.last).identity
            // Until the next frames are due.
            while HostTime.now() < last.due.advanced(by: 10_000_000) {}
            #expect(keeper.samples.count == limit)
            keeper.clear()
            let next = try #require(keeper.waitForSamples(1).first)
            #expect(next.sequence - last.sequence - 1 == next.drops.total)
            drops = next.drops
        }
    }

    @Test("paints nothing while nobody looks; the first frame then carries no drops")
    func rest() throws {
        let (session, output) = (CaptureSession(), RecordingOutput(demand: CaptureDemand()))
        session.frameRate = FrameRate(500)
        session.addInput(TestPatternInput(size: PixelSize(width: 16, height: 16)))
        session.addOutput(output)
        try session.start()
        defer { session.stopRunning() }
        #expect(output.samples.isEmpty)
        output.setDemand(CaptureDemand(arrivals: 1, latestCount: 1, isLatestReady: true))
        #expect(try #require(output.waitForSamples(1).first).drops.isEmpty)
    }

    @Test("of an impossible size is refused")
    func refusal() {
        let session = CaptureSession()
        session.addInput(TestPatternInput(size: PixelSize(width: 65535, height: 65535)))
        #expect { try session.start() } throws: { ($0 as? CaptureInputError)?.code == .unsupportedFormat }
    }
}

extension SampleBuffer {
    /// The sample's place and time, without its pixels.
    fileprivate var identity: (sequence: UInt64, due: HostTime) { (sequence, captureTime.host) }
}
