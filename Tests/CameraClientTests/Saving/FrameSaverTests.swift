import CameraClient
import CameraImaging
import Foundation
import TestSupport
import Testing

struct FrameSaverTests {
    private static func frame(_ sequence: UInt64, image: EncodedImage) -> SampleBuffer {
        SampleBuffer(
            content: .encoded(image), position: FramePosition(epoch: 1, sequence: sequence),
            // 2026-11-30 18:47:12 UTC.
            captureTime: CaptureTime(host: .now(), utcNanoseconds: 1_796_064_432_123_456_789), capturedAt: .now())
    }

    /// A gray picture, coded.
    private static func image(_ codec: ImageCodec) throws -> EncodedImage {
        let picture = try PixelBuffer(
            width: 18, height: 11, pixelFormat: .gray8, colorimetry: .jpeg,
            fill: { $0[0].base.update(repeating: 99, count: 18 * 11) })
        return try ImageEncoder(pool: MemoryPool(limit: 4)).encode(picture, as: codec, quality: 90)
    }

    private func files(in folder: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "")).sorted()
    }

    @Test func savesTheBytesAsReceived() async throws {
        let folder = try TemporaryDirectory()
        let saver = try FrameSaver(directory: folder.path(of: "a/b"))
        for (codec, name) in [
            (ImageCodec.webp, "frame-20261130T184712.123456Z-00000123.webp"),
            (.jpeg, "frame-20261130T184712.123456Z-00000123.jpg"),
        ] {
            let image = try Self.image(codec)
            let path = try await saver.save(Self.frame(123, image: image))
            #expect(path == folder.path(of: "a/b/\(name)"))
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(image.data.array))
        }
    }

    @Test func rawFramesBecomePNG() async throws {
        let folder = try TemporaryDirectory()
        let saver = try FrameSaver(directory: folder.path(of: ""))
        let path = try await saver.save(Self.frame(0, image: try Self.image(.raw)))
        #expect(path.hasSuffix("-00000000.png"))
        let image = try Image(contentsOf: path)
        #expect((image.width, image.height) == (18, 11))
    }

    @Test(arguments: [
        (FrameSaver.Format.webp, ImageFileFormat.webp), (.jpeg, .jpeg), (.png, .png),
    ])
    func convertsToTheFormatAskedFor(format: FrameSaver.Format, expected: ImageFileFormat) async throws {
        let folder = try TemporaryDirectory()
        let saver = try FrameSaver(directory: folder.path(of: ""), format: format)
        for codec in ImageCodec.allCases {
            let path = try await saver.save(Self.frame(UInt64(codec.rawValue), image: try Self.image(codec)))
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            #expect(ImageFileFormat(signature: bytes) == expected)
            #expect(try Image(data: bytes).width == 18)
            // What is encoded here tells the capture time; what is written as received is not touched.
            let isReceived = codec == (format == .webp ? .webp : .jpeg)
            let tellsTime = bytes.contains(Array("2026:11:30 18:47:12".utf8))
            #expect(tellsTime == (format != .png && !isReceived))
        }
    }

    @Test func keepsTheNewest() async throws {
        let folder = try TemporaryDirectory()
        let saver = try FrameSaver(directory: folder.path(of: ""), keep: 2)
        let image = try Self.image(.webp)
        var paths: [String] = []
        for sequence in 0..<5 { paths.append(try await saver.save(Self.frame(UInt64(sequence), image: image))) }
        #expect(try files(in: folder) == paths.suffix(2).map { URL(filePath: $0).lastPathComponent })
    }

    @Test func removesWhatKilledRunsLeftAndNothingElse() throws {
        let folder = try TemporaryDirectory()
        for name in [".frame.webp.host.4711.1.partial", "frame.webp", ".hidden", "notes.partial"] {
            try Data().write(to: URL(filePath: folder.path(of: name)))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -4000)], ofItemAtPath: folder.path(of: name))
        }
        _ = try FrameSaver(directory: folder.path(of: ""))
        #expect(try files(in: folder) == [".hidden", "frame.webp", "notes.partial"])
    }

    @Test func saysWhatCannotBeCreated() throws {
        let folder = try TemporaryDirectory()
        try Data().write(to: URL(filePath: folder.path(of: "file")))
        for path in ["file", "file/below", "/proc/frames"] {
            let whole = path.hasPrefix("/") ? path : folder.path(of: path)
            let error = #expect(throws: FrameSavingError.self) { try FrameSaver(directory: whole) }
            #expect(error?.kind == .cannotCreate)
            #expect(error?.path == whole)
        }
    }
}
