import CameraMedia
import Foundation
import TestSupport
import Testing

@testable import CameraImaging

@Suite("Image")
struct ImageTests {
    private func sample(_ content: SampleBuffer.Content) -> SampleBuffer {
        SampleBuffer(
            content: content, position: FramePosition(epoch: 1, sequence: 0), captureTime: .now(), capturedAt: .now())
    }

    @Test("From a frame's pixels, of any layout", arguments: PixelFormat.allCases)
    func fromPixels(_ pixelFormat: PixelFormat) throws {
        let color = SIMD3(0.75, 0.25, 0.5)
        let source = try ReferenceColor(colorimetry: .webp).picture(
            color, width: 9, height: 7, pixelFormat, padding: 5)
        let image = try Image(sample(.pixels(source)))
        #expect(image.width == 9 && image.height == 7 && image.pixelBuffer.pixelFormat == .bgra32)
        #expect(image.pixelBuffer.planes[0].base != source.planes[0].base)
        if pixelFormat != .gray8 {
            #expect(image.pixelBuffer.largestDifference(from: [127.5, 63.75, 191.25, 255]) <= 3)
        }
    }

    @Test("From a frame that is still encoded", arguments: ImageCodec.allCases)
    func fromEncoded(_ codec: ImageCodec) throws {
        let source = try TestPicture.bgra(width: 40, height: 30)
        let encoded = try ImageEncoder(pool: MemoryPool(limit: 1)).encode(source, as: codec, quality: 95)
        let image = try Image(sample(.encoded(encoded)))
        #expect(psnr(image.pixelBuffer.rows(), source.rows()) > 25)
    }

    @Test("Alpha, whatever it is, comes out opaque")
    func opaque() throws {
        let source = try PixelBuffer(width: 3, height: 2, pixelFormat: .bgra32, colorimetry: .rgb) {
            $0[0].base.update(repeating: 7, count: 24)
        }
        #expect(try Image(source).pixelBuffer.largestDifference(from: [7, 7, 7, 255]) == 0)
    }

    @Test("It holds nothing of the pool that the frame came from")
    func ownsPixels() throws {
        let pool = MemoryPool(limit: 1)
        let image = try Image(
            PixelBuffer(width: 4, height: 4, pixelFormat: .bgra32, colorimetry: .rgb, pool: pool) {
                $0[0].base.update(repeating: 200, count: 64)
            })
        #expect(pool.counts.outstanding == 0 && image.width == 4)
    }

    @Test("Scaled and cropped, the pixels in BGRA")
    func geometry() throws {
        let source = try TestPicture.bgra(width: 51, height: 37)
        let image = try Image(source)
        #expect(image.isOpaque && image.captureTime == nil && image.bytesPerRow == 204)
        let half = PixelSize(width: 26, height: 19)
        let expected = try PixelConverter().convert(source, to: .bgra32, size: half, pool: MemoryPool(limit: 1))
        #expect(try image.resized(to: half).pixelBuffer.rows() == expected.rows())
        #expect(try image.resized(to: image.size).pixelBuffer === image.pixelBuffer)
        let part = PixelRectangle(x: 3, y: 5, size: PixelSize(width: 7, height: 2))
        let cropped = try image.cropped(to: part)
        let pixels = cropped.pixels
        #expect(cropped.size == part.size && pixels.count == 56)
        #expect(pixels.indices.map { pixels[$0] } == source.rows()[5...6].flatMap { $0[12..<40] })
        let outside = PixelRectangle(x: 45, y: 5, size: PixelSize(width: 7, height: 2))
        #expect(throws: ImagingError.cropOutOfRange(outside, picture: image.size)) { try image.cropped(to: outside) }
        let empty = PixelSize(width: 5, height: 0)
        #expect(throws: ImagingError.sizeOutOfRange(empty)) { try image.resized(to: empty) }
    }

    @Test("To a file and back, by its ending", arguments: ImageFileFormat.allCases)
    func files(_ format: ImageFileFormat) throws {
        let folder = try TemporaryDirectory()
        let image = try Image(TestPicture.bgra(width: 51, height: 37))
        let path = "\(folder.path)/picture.\(format.pathExtension)"
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        try image.write(to: path, quality: 95)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["picture.\(format.pathExtension)"])
        let bytes = try WholeFile.read(path, limit: 1 << 20)
        #expect(ImageFileFormat(signature: bytes) == format)
        let read = try Image(contentsOf: path)
        #expect(read.width == 51 && read.height == 37)
        if format == .png {
            #expect(read.pixelBuffer.packedBytes() == image.pixelBuffer.packedBytes())
        } else {
            #expect(psnr(read.pixelBuffer.rows(), image.pixelBuffer.rows()) > 27)
        }
    }

    @Test("What cannot be written or read says why")
    func failures() throws {
        let folder = try TemporaryDirectory()
        let image = try Image(TestPicture.bgra(width: 4, height: 4))
        #expect(throws: ImagingError.self) { try image.write(to: "\(folder.path)/picture.tiff") }
        #expect(throws: ImagingError.self) { try image.write(to: "\(folder.path)/picture") }
        let missing = "\(folder.path)/no/picture.png"
        #expect(throws: ImagingError.cannotCreate(path: missing, errno: ENOENT)) { try image.write(to: missing) }
        #expect(throws: ImagingError.cannotRead(path: missing, errno: ENOENT)) { try Image(contentsOf: missing) }
        #expect(throws: ImagingError.self) { try Image(data: []) }
        #expect(throws: ImagingError.self) { try Image(data: Array("GIF89a not this one".utf8)) }
        // A folder of that name cannot be replaced, and the temporary file goes.
        let taken = "\(folder.path)/taken.png"
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
        #expect(throws: ImagingError.self) { try image.write(to: taken) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.png"])
        #expect(
            "\(ImagingError.cannotCreate(path: missing, errno: ENOENT))"
                == "\(missing): cannot be created: No such file or directory")
    }

    @Test("Left-over temporary files go, those that may still be written stay")
    func leftovers() throws {
        let folder = try TemporaryDirectory()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        let (own, dead) = (TemporaryFileName.ownMachine, process.processIdentifier)
        let left = [".frame.webp.\(own).\(dead).1.partial", ".old.webp.1a2b3c4d-f.\(getppid()).2.partial"]
        let kept = [
            ".frame.webp.\(own).\(getppid()).1.partial", ".frame.webp.\(own).\(getpid()).1.partial",
            ".frame.webp.1a2b3c4d-f.\(dead).1.partial", "frame.webp", ".hidden.partial",
        ]
        for name in left + kept { try Data().write(to: URL(fileURLWithPath: "\(folder.path)/\(name)")) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -4000)], ofItemAtPath: "\(folder.path)/\(left[1])")
        #expect(WholeFile.removeLeftovers(in: folder.path) == 2)
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(rest) == Set(kept))
        #expect(WholeFile.removeLeftovers(in: "\(folder.path)/no") == 0)
    }
}
