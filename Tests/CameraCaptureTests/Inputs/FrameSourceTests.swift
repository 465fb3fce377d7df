import CameraCapture
import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@Suite("A frame source")
struct FrameSourceTests {
    let session = CaptureSession()
    let source = FrameSource(localizedName: "Renderer", frameRate: .thirty)
    let output = RecordingOutput()

    init() {
        session.addInput(source)
        session.addOutput(output)
    }

    private func picture(width: Int = 4, format: PixelFormat = .gray8) throws -> PixelBuffer {
        try PixelBuffer(width: width, height: 2, pixelFormat: format, colorimetry: .webp) { planes in
            for plane in planes { plane.base.update(repeating: 0, count: plane.byteCount) }
        }
    }

    private var samples: [SampleBuffer] {
        output.entries.compactMap { if case .event(.sample(let sample)) = $0 { sample } else { nil } }
    }

    @Test("hands on what is pushed, with the program's own times")
    func pushing() throws {
        try session.start()
        #expect(source.isWanted)
        let start = HostTime.now()
        for frame in 0..<3 as Range<UInt64> {
            try source.push(picture(), at: CaptureTime(at: start.advanced(by: frame * 1_000)))
        }
        #expect(samples.map(\.sequence) == [0, 1, 2])
        #expect(samples.map { $0.captureTime.host.nanoseconds(since: start) } == [0, 1_000, 2_000])
    }

    @Test("begins a new epoch when the picture's size or layout changes")
    func epochs() throws {
        try session.start()
        for buffer in [
            try picture(), try picture(width: 6), try picture(width: 6), try picture(width: 6, format: .i420),
        ] {
            try source.push(buffer)
        }
        #expect(samples.map(\.sequence) == [0, 0, 1, 0])
        #expect(Set(samples.map(\.epoch)).count == 3)
        #expect(output.entries.map(\.name).count { $0 == "format" } == 3)
    }

    @Test("counts what the program could not make")
    func skipping() throws {
        try session.start()
        try source.push(picture())
        source.skip(2)
        try source.push(picture())
        #expect(samples.map(\.sequence) == [0, 3])
        #expect(samples.last?.drops == DropCounts(.source, 2))
    }

    @Test("refuses a time that is not later than the last one")
    func times() throws {
        try session.start()
        let time = CaptureTime.now()
        try source.push(picture(), at: time)
        #expect(throws: FrameSourceError.self) { try source.push(picture(), at: time) }
        #expect(samples.count == 1)
    }

    @Test("does nothing while the session does not run, and begins anew when it runs again")
    func stopped() throws {
        try source.push(picture())
        try session.start()
        try source.push(picture())
        session.stopRunning()
        try source.push(picture())
        try session.start()
        try source.push(picture())
        #expect(samples.map(\.sequence) == [0, 0])
        #expect(Set(samples.map(\.epoch)).count == 2)
    }
}
