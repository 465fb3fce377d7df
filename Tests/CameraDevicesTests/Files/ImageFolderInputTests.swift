import CameraCapture
import CameraImaging
import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@testable import CameraDevices

@Suite("An image folder input")
struct ImageFolderInputTests {
    let folder: TemporaryFolder
    let session = CaptureSession()
    let output = RecordingOutput(demand: CaptureDemand(arrivals: 1, orderedCount: 1))

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ format: ImageFileFormat, gray: UInt8, side: Int = 16, to name: String) throws {
        let picture = try PixelBuffer(width: side, height: side, pixelFormat: .bgra32, colorimetry: .rgb) { planes in
            planes[0].base.update(repeating: gray, count: side * side * 4)
        }
        _ = try folder.write(Image(picture).encoded(as: format), to: name)
    }

    private func start() throws {
        session.addInput(ImageFolderInput(path: folder.path))
        session.addOutput(output)
        try session.start()
    }

    @Test("delivers the images in the order of their names; another size or kind begins a new epoch")
    func order() throws {
        try write(.jpeg, gray: 90, to: "a.jpg")
        try write(.jpeg, gray: 30, to: "b.jpeg")
        try write(.webp, gray: 60, to: "c.webp")
        try write(.png, gray: 10, side: 8, to: "d.png")
        _ = try folder.write([1, 2, 3], to: "e.txt")
        try start()
        #expect(output.waitForState(.ended)?.reason == .endOfFile)
        session.stopRunning()
        #expect(output.samples.map(\.sequence) == [0, 1, 0, 0])
        #expect(Set(output.samples.map(\.epoch)).count == 3)
        let grays = try output.samples.map { sample in
            try Image(sample).pixelBuffer.withBaseAddress { Int($0[0]) }
        }
        for (gray, expected) in zip(grays, [90, 30, 60, 10]) { #expect(abs(gray - expected) <= 2) }
        #expect(output.formats.map(\.codec).suffix(4) == [.jpeg, .jpeg, .raw, .raw])
        #expect(output.formats.last?.size == PixelSize(width: 8, height: 8))
    }

    @Test(
        "waits while a consumer of every frame holds all buffers, whatever the kind of file", arguments: ["jpg", "png"])
    func buffers(ending: String) throws {
        for number in 10..<50 { try write(ending == "jpg" ? .jpeg : .png, gray: 90, to: "\(number).\(ending)") }
        try start()
        #expect(output.waitForSamples(32).map(\.sequence) == Array(0..<32))
        output.clear()
        #expect(output.waitForState(.ended)?.reason == .endOfFile)
        session.stopRunning()
        #expect(output.samples.map(\.sequence) == Array(32..<40))
    }

    @Test("counts images that cannot be decoded")
    func corrupt() throws {
        try write(.jpeg, gray: 1, to: "0.jpg")
        _ = try folder.write(Array("no image".utf8), to: "1.jpg")
        _ = try folder.write([0xFF, 0xD8, 0xFF], to: "2.jpg")
        try write(.jpeg, gray: 1, to: "3.jpg")
        _ = try folder.write([], to: "4.webp")
        try start()
        let end = try #require(output.waitForState(.ended))
        session.stopRunning()
        #expect(output.samples.map(\.sequence) == [0, 3])
        #expect(output.samples.last?.drops == DropCounts(.corrupt, 2))
        #expect(end.drops == DropCounts(.corrupt))
    }

    @Test("without an image that can be decoded is refused, as is one that does not exist")
    func refusal() throws {
        var error = #expect(throws: CaptureInputError.self) { try start() }
        #expect(error?.code == .notFound)
        _ = try folder.write([1], to: "1.png")
        error = #expect(throws: CaptureInputError.self) { try session.start() }
        #expect(error?.code == .invalidData)
        let other = CaptureSession()
        other.addInput(ImageFolderInput(path: folder.path + "/none"))
        error = #expect(throws: CaptureInputError.self) { try other.start() }
        #expect(error?.code == .notFound)
    }
}
