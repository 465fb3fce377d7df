import CameraImaging
import CameraMedia
import Testing

@Suite("EXIF")
struct ExifTests {
    /// 2026-11-30 18:47:12.012345678 UTC.
    private let time = CaptureTime(host: .now(), utcNanoseconds: 1_796_064_432_012_345_678)
    private let texts: [UInt16: String] = [
        0x9000: "0232", 0x9003: "2026:11:30 18:47:12", 0x9011: "+00:00", 0x9291: "012345678",
    ]

    private func image(_ codec: ImageCodec) throws -> EncodedImage {
        try ImageEncoder(pool: MemoryPool(limit: 2)).encode(
            TestPicture.bgra(width: 40, height: 30), as: codec, quality: 80)
    }

    @Test(
        "Capture times read back as they were, leap days and the first and the last moment too",
        arguments: [
            (UInt64(0), "1970:01:01 00:00:00", "000000000"),
            (951_782_399_999_999_999, "2000:02:28 23:59:59", "999999999"),
            (951_868_799_000_000_001, "2000:02:29 23:59:59", "000000001"),
            (UInt64.max, "2554:07:21 23:34:33", "709551615"),
        ])
    func times(_ nanoseconds: UInt64, _ date: String, _ fraction: String) throws {
        let file = try image(.jpeg).file(takenAt: CaptureTime(host: .now(), utcNanoseconds: nanoseconds))
        let texts = ExifReader.jpeg(file).reader?.texts
        #expect(texts?[0x9003] == date && texts?[0x9291] == fraction)
    }

    @Test("JPEG: a segment behind the JFIF header, the rest as it was")
    func jpeg() throws {
        let image = try image(.jpeg)
        let original = image.data.array
        let file = try image.file(takenAt: time)
        let (reader, count) = ExifReader.jpeg(file)
        #expect(reader?.texts == texts && count == 1)
        let jfifEnd = 4 + 16
        #expect(original[3] == 0xE0 && file.prefix(jfifEnd) == original.prefix(jfifEnd))
        #expect(file[jfifEnd] == 0xFF && file[jfifEnd + 1] == 0xE1)
        #expect(file.suffix(original.count - jfifEnd) == original.suffix(original.count - jfifEnd))
        #expect(try Image(data: file).pixelBuffer.rows() == Image(data: original).pixelBuffer.rows())
    }

    @Test("WebP: a chunk, the picture's own as it was")
    func webP() throws {
        let image = try image(.webp)
        let file = try image.file(takenAt: time)
        let (reader, chunks) = ExifReader.webP(file)
        #expect(reader?.texts == texts && chunks == ["VP8X", "VP8 ", "EXIF"])
        #expect(try Image(data: file).pixelBuffer.rows() == Image(data: image.data.array).pixelBuffer.rows())
    }

    @Test(
        "What EXIF there is gets replaced; without a time the bytes are as they were",
        arguments: [
            ImageCodec.jpeg, .webp,
        ])
    func again(_ codec: ImageCodec) throws {
        let image = try image(codec)
        let other = try image.file(takenAt: CaptureTime(host: .now(), utcNanoseconds: 0))
        let once = try image.file(takenAt: time)
        #expect(try EncodedImage(file: SharedBytes(copying: other)).file(takenAt: time) == once)
        #expect(try image.file(takenAt: nil) == image.data.array)
    }

    @Test("Without a JFIF header it comes first")
    func withoutJFIF() throws {
        let file = try image(.jpeg).data.array
        let bare = Array(file.prefix(2) + file.dropFirst(20))
        let result = try EncodedImage(file: SharedBytes(copying: bare)).file(takenAt: time)
        #expect(result.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE1] && result.suffix(bare.count - 2) == bare.dropFirst(2))
    }

    @Test("Raw images are no files, damaged ones are errors", arguments: ImageCodec.allCases)
    func refusals(_ codec: ImageCodec) throws {
        var image = try image(codec)
        if codec != .raw { image.data = SharedBytes(copying: Array(image.data.array.prefix(19))) }
        #expect(throws: ImagingError.self) { try image.file(takenAt: time) }
    }

    @Test("Cut or changed files are errors or files, never a crash", arguments: [ImageCodec.jpeg, .webp])
    func damaged(_ codec: ImageCodec) throws {
        var image = try image(codec)
        let file = try image.file(takenAt: time)
        for count in 0..<200 {
            image.data = SharedBytes(copying: Array(file.prefix(count)))
            _ = try? image.file(takenAt: time)
        }
        for offset in file.indices.prefix(400) {
            for change: UInt8 in [0x55, 0xFF] {
                var changed = file
                changed[offset] ^= change
                image.data = SharedBytes(copying: changed)
                _ = try? image.file(takenAt: time)
            }
        }
    }

    @Test("An image of a frame tells its capture time in files, unless it is taken away")
    func ofImage() throws {
        let buffer = try TestPicture.bgra(width: 40, height: 30)
        var image = try Image(
            SampleBuffer(
                content: .pixels(buffer), position: FramePosition(epoch: 1, sequence: 0), captureTime: time,
                capturedAt: .now()))
        #expect(image.captureTime == time)
        let part = try image.cropped(to: PixelRectangle(x: 1, y: 1, size: PixelSize(width: 16, height: 16)))
            .resized(to: PixelSize(width: 8, height: 8))
        #expect(try ExifReader.jpeg(part.encoded(as: .jpeg)).reader?.texts == texts)
        #expect(try ExifReader.webP(part.encoded(as: .webp)).reader?.texts == texts)
        image.captureTime = nil
        #expect(try ExifReader.jpeg(image.encoded(as: .jpeg)).count == 0)
        #expect(try ExifReader.webP(image.encoded(as: .webp)).chunks == ["VP8 "])
    }
}
