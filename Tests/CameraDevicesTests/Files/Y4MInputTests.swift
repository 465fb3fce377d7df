import CameraCapture
import CameraMedia
import CameraProtocol
import Foundation
import TestSupport
import Testing

@testable import CameraDevices

@Suite("A Y4M input")
struct Y4MInputTests {
    let folder: TemporaryFolder
    let session = CaptureSession()
    let newest = CaptureDemand(arrivals: 1, latestCount: 1, isLatestReady: true)
    let everything = CaptureDemand(arrivals: 1, orderedCount: 1, isOrderedReady: true)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file of 5 x 3 pixels in 4:2:0 at 500 frames a second; frame n is filled with n.
    private func file(_ frameCount: Int, cutOff: Int = 0) throws -> String {
        var bytes = Array("YUV4MPEG2 W5 H3 F500:1 C420jpeg\n".utf8)
        for frame in 0..<frameCount {
            bytes += Array("FRAME\n".utf8) + [UInt8](repeating: UInt8(frame), count: 15 + 6 + 6)
        }
        return try folder.write(bytes.dropLast(cutOff), to: "clip.y4m")
    }

    private func play(_ path: String, loops: Bool = false, pace: FilePace = .realTime, _ output: RecordingOutput) throws
    {
        session.addInput(Y4MInput(path: path, pace: pace, loops: loops))
        session.addOutput(output)
        try session.start()
    }

    private func content(_ sample: SampleBuffer) -> [UInt8] { sample.imageBuffer?.packedBytes() ?? [] }

    @Test("delivers every frame bit for bit, then ends", arguments: [true, false], FilePace.allCases)
    func content(ordered: Bool, pace: FilePace) throws {
        let output = RecordingOutput(demand: ordered ? everything : newest)
        try play(file(20), pace: pace, output)
        let end = try #require(output.waitForState(.ended))
        session.stopRunning()
        #expect(end.reason == .endOfFile)
        #expect(!end.isFinal)
        #expect(output.samples.map(\.sequence) == Array(0..<20))
        #expect(output.samples.map(content) == (0..<20).map { [UInt8](repeating: $0, count: 27) })
        #expect(Set(output.samples.map(\.epoch)).count == 1)
        #expect(output.states.map(\.state) == [.idle, .starting, .idle, .running, .ended, .idle])
    }

    @Test("waits for the first consumer, and until a consumer of every frame has room")
    func demand() throws {
        let output = RecordingOutput(demand: CaptureDemand())
        try play(file(10), output)
        var demand = everything
        demand.isOrderedReady = false
        output.setDemand(demand)
        _ = output.waitForState(.running)
        #expect(output.samples.isEmpty)
        demand.isOrderedReady = true
        output.setDemand(demand)
        #expect(output.waitForSamples(10).count == 10)
        session.stopRunning()
    }

    @Test("plays again from the start, in a new epoch, for the next consumer after the end")
    func replay() throws {
        let output = RecordingOutput(demand: everything)
        try play(file(3), output)
        _ = output.waitForState(.ended)
        let first = output.samples
        output.clear()
        var demand = everything
        demand.arrivals = 2
        output.setDemand(demand)
        _ = output.waitForState(.ended)
        session.stopRunning()
        #expect(output.samples.map(\.sequence) == [0, 1, 2])
        #expect(output.samples.map(content) == first.map(content))
        #expect(output.samples.first?.epoch != first.first?.epoch)
    }

    @Test("that loops goes on after the end without a gap")
    func loop() throws {
        let output = RecordingOutput(demand: newest)
        try play(file(3), loops: true, output)
        let samples = output.waitForSamples(8)
        session.stopRunning()
        #expect(samples.map(\.sequence).prefix(8) == [0, 1, 2, 3, 4, 5, 6, 7])
        #expect(samples.prefix(8).map { content($0).first } == [0, 1, 2, 0, 1, 2, 0, 1])
        #expect(Set(samples.map(\.epoch)).count == 1)
    }

    @Test("that is cut short delivers what is whole, then ends as corrupt")
    func truncation() throws {
        let output = RecordingOutput(demand: everything)
        try play(file(4, cutOff: 1), output)
        let end = try #require(output.waitForState(.ended))
        session.stopRunning()
        #expect(end.reason == .corrupt)
        #expect(end.text.contains("clip.y4m"))
        #expect(output.samples.map(\.sequence) == [0, 1, 2])
    }

    @Test("waits for buffers while a consumer of every frame holds them all, and loses nothing")
    func buffers() throws {
        let output = RecordingOutput(demand: everything)
        try play(file(100), output)
        let held = output.waitForSamples(32).map(\.sequence)
        #expect(held == Array(0..<32))
        output.clear()
        #expect(output.waitForSamples(32).map(\.sequence).prefix(32) == ArraySlice((32..<64).map { UInt64($0) }))
        session.stopRunning()
    }

    @Test("goes on in real time when a consumer of the newest frame joins one that holds all buffers")
    func joined() throws {
        let output = RecordingOutput(demand: everything)
        try play(file(100), output)
        #expect(output.waitForSamples(32).count == 32)
        var demand = everything
        (demand.arrivals, demand.latestCount, demand.isLatestReady) = (2, 1, true)
        output.setDemand(demand)
        #expect(output.waitForState(.ended)?.drops == DropCounts(.outOfBuffers, 68))
        session.stopRunning()
    }

    @Test("in real time leaves frames out, counted, while consumers hold all buffers")
    func drops() throws {
        let output = RecordingOutput(demand: newest)
        try play(file(200), output)
        #expect(output.waitForSamples(32).count == 32)
        _ = output.waitForState(.ended)
        session.stopRunning()
        let dropped = try #require(output.states.last { $0.state == .ended }?.drops)
        #expect(dropped == DropCounts(.outOfBuffers, 168))
    }

    private func makePipe() throws -> String {
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test("stops while it waits for a pipe that stays silent", arguments: ["", "YUV4MPEG2 W5 H3 F500:1 C420jpeg\n"])
    func silence(text: String) throws {
        let path = try makePipe()
        let writer = text.isEmpty ? -1 : open(path, O_RDWR)
        defer { if writer >= 0 { close(writer) } }
        try #require(text.isEmpty || write(writer, text, text.utf8.count) == text.utf8.count)
        let output = RecordingOutput(demand: everything)
        try play(path, output)
        if !text.isEmpty { _ = output.waitForState(.running) }
        session.stopRunning()
        #expect(output.samples.isEmpty)
    }

    @Test("reads a pipe once, in the pieces it comes in")
    func pipe() throws {
        let path = try makePipe()
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(6))))
        let output = RecordingOutput(demand: everything)
        try play(path, output)
        let writer = open(path, O_WRONLY)
        for byte in bytes { try #require(write(writer, [byte], 1) == 1) }
        close(writer)
        let end = try #require(output.waitForState(.ended))
        #expect(end.reason == .endOfFile)
        #expect(end.isFinal, "Nobody can read a pipe again.")
        #expect(output.samples.map { content($0).first } == [0, 1, 2, 3, 4, 5])
        session.stopRunning()
    }

    @Test("reads a pipe's header at once, frames from the first consumer on")
    func header() throws {
        let path = try makePipe()
        let writer = FileDescriptor(open(path, O_RDWR | O_CLOEXEC))
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(1))))
        try #require(write(writer.number, bytes, bytes.count) == bytes.count)
        let output = RecordingOutput(demand: CaptureDemand())
        try play(path, output)
        output.wait { $0.contains { if case .event(.format) = $0 { true } else { false } } }
        #expect(output.formats.first?.size == PixelSize(width: 5, height: 3))
        var waiting: Int32 = 0
        try #require(ioctl(writer.number, UInt(FIONREAD), &waiting) == 0)
        #expect(waiting == 6 + 27)
        output.setDemand(everything)
        #expect(output.waitForSamples(1).map { content($0).first } == [0])
        session.stopRunning()
    }

    @Test("of another kind ends for good when it comes by a pipe")
    func refusedPipe() throws {
        let path = try makePipe()
        let writer = FileDescriptor(open(path, O_RDWR | O_CLOEXEC))
        try #require(write(writer.number, "GIF89a", 6) == 6)
        let output = RecordingOutput(demand: everything)
        try play(path, output)
        let end = try #require(output.waitForState(.ended))
        session.stopRunning()
        #expect(end.isFinal)
        #expect(end.text.contains(path))
    }

    @Test(
        "of another kind is refused",
        arguments: [
            ("GIF89a", CaptureInputError.Code.invalidData), ("YUV4MPEG2 W8 H8 C420p10\n", .invalidData),
            ("YUV4MPEG2 W0 H8\n", .invalidData), ("", .invalidData),
        ])
    func refusal(text: String, code: CaptureInputError.Code) throws {
        let path = try folder.write(Array(text.utf8), to: "clip.y4m")
        let error = #expect(throws: CaptureInputError.self) { try play(path, RecordingOutput()) }
        #expect(error?.code == code)
        #expect(error?.subject == path)
    }

    @Test("that does not exist is refused")
    func missing() throws {
        let error = #expect(throws: CaptureInputError.self) {
            try play(folder.path + "/none.y4m", RecordingOutput())
        }
        #expect(error?.code == .notFound)
    }
}
