import CTurboJPEG
import CameraImaging
import CameraMedia
import Testing

@Suite("Images that are not what they say")
struct DamagedImageTests {
    private let encoder = ImageEncoder(pool: MemoryPool(limit: 4))
    private let decoder = ImageDecoder(pool: MemoryPool(limit: 4))

    private func image(_ codec: ImageCodec, width: Int = 64, height: Int = 48) throws -> EncodedImage {
        try encoder.encode(TestPicture.bgra(width: width, height: height), as: codec, quality: 80)
    }

    @Test("Another size than announced is refused", arguments: [ImageCodec.webp, .jpeg, .raw])
    func otherSize(_ codec: ImageCodec) throws {
        var image = try image(codec)
        image.width = 32
        #expect(throws: ImagingError.self) { try decoder.decode(image) }
        #expect(throws: ImagingError.self) { try decoder.decodeNative(image) }
        if codec != .raw {
            #expect(
                throws: ImagingError.sizeMismatch(
                    declared: PixelSize(width: 32, height: 48), actual: PixelSize(width: 64, height: 48))
            ) { try decoder.decode(image) }
        }
    }

    @Test("A size above the limit is refused before anything is allocated", arguments: ImageCodec.allCases)
    func hugeSize(_ codec: ImageCodec) throws {
        var image = try image(codec)
        (image.width, image.height) = (Limits.pixelCount, 2)
        #expect(throws: ImagingError.sizeOutOfRange(image.size)) { try decoder.decode(image) }
        (image.width, image.height) = (0, 2)
        #expect(throws: ImagingError.sizeOutOfRange(image.size)) { try decoder.decode(image) }
    }

    @Test("Every way of being cut short is an error", arguments: ImageCodec.allCases)
    func cutShort(_ codec: ImageCodec) throws {
        let whole = try image(codec)
        let bytes = whole.data.array
        for count in stride(from: 0, to: bytes.count - 2, by: codec == .raw ? 97 : 7) {
            var image = whole
            image.data = SharedBytes(copying: Array(bytes.prefix(count)))
            #expect(throws: ImagingError.self, "\(count) of \(bytes.count)") { try decoder.decode(image) }
            #expect(throws: ImagingError.self, "\(count) of \(bytes.count)") { try decoder.decodeNative(image) }
        }
    }

    /// A progressive JPEG image of 16 x 16 pixels that sends its first scan again and again, whole each time.
    private static func progressive(scanCount: Int) throws -> [UInt8] {
        let picture = try TestPicture.bgra(width: 16, height: 16)
        let bytes = BareLibrary.jpeg(picture, subsampling: TJSAMP_GRAY, flags: TJFLAG_PROGRESSIVE)
        let markers = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] != 0 }
        let start = try #require(markers.first { bytes[$0 + 1] == 0xDA })
        let end = try #require(markers.first { $0 > start })
        var scan = Array(bytes[start..<end])
        // Successive approximation: all bits at once.
        scan[9] = 0
        return Array(bytes[..<start] + repeatElement(scan, count: scanCount).joined() + [0xFF, 0xD9])
    }

    @Test("A JPEG image with more scans than anybody needs is refused", arguments: [(400, true), (600, false)])
    func scans(count: Int, isDecoded: Bool) throws {
        var image = try image(.jpeg, width: 16, height: 16)
        image.data = SharedBytes(copying: try Self.progressive(scanCount: count))
        for decoded in [{ try decoder.decode(image) }, { try decoder.decodeNative(image) }] {
            if isDecoded {
                #expect(try decoded().width == 16)
            } else {
                #expect(throws: ImagingError.self) { try decoded() }
            }
        }
    }

    @Test("A JPEG image that is cut short is decoded as far as it goes if that is allowed")
    func allowedTruncation() throws {
        let whole = try image(.jpeg, width: 128, height: 128)
        let bytes = whole.data.array
        var image = whole
        image.data = SharedBytes(copying: Array(bytes.prefix(bytes.count * 3 / 4)))
        #expect(throws: ImagingError.truncated(format: "JPEG")) { try decoder.decode(image) }
        decoder.allowsTruncation = true
        let expected = try decoder.decode(whole).rows().prefix(48)
        #expect(try decoder.decode(image).rows().prefix(48) == expected)
    }

    @Test("Changed bytes give an error or a picture, never a crash", arguments: [ImageCodec.webp, .jpeg])
    func changedBytes(_ codec: ImageCodec) throws {
        let whole = try image(codec)
        let bytes = whole.data.array
        var survivors = 0
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= UInt8(truncatingIfNeeded: offset &* 37) | 1
            var image = whole
            image.data = SharedBytes(copying: changed)
            if (try? decoder.decode(image)) != nil { survivors += 1 }
            _ = try? decoder.decodeNative(image)
        }
        #expect(survivors < bytes.count)
        // The decoder is as good as new afterwards.
        #expect(try decoder.decode(whole).rows() == ImageDecoder(pool: MemoryPool(limit: 1)).decode(whole).rows())
    }

    @Test("A raw image needs a layout and all its bytes, no more")
    func raw() throws {
        var image = try image(.raw)
        image.data = SharedBytes(copying: image.data.array + [0])
        #expect(throws: ImagingError.self) { try decoder.decode(image) }
        image.pixelFormat = nil
        #expect(throws: ImagingError.self) { try decoder.decode(image) }
    }
}
