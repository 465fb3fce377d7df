import CTurboJPEG
import CameraImaging
import CameraMedia
import Testing

@Suite("Encoder and decoder")
struct ImageCodecTests {
    private let pool = MemoryPool(limit: 6)

    private func picture(
        _ pixelFormat: PixelFormat, width: Int = 65, height: Int = 47, colorimetry: Colorimetry? = nil
    ) throws -> PixelBuffer {
        try PixelConverter().convert(
            TestPicture.bgra(width: width, height: height), to: pixelFormat, colorimetry: colorimetry,
            pool: MemoryPool(limit: 1))
    }

    @Test("Raw keeps every layout bit for bit, padded or not", arguments: PixelFormat.allCases)
    func raw(_ pixelFormat: PixelFormat) throws {
        let source = try picture(pixelFormat)
        for padding in [0, 5] {
            let padded = try TestPicture.padded(source, by: padding)
            let image = try ImageEncoder(pool: pool).encode(padded, as: .raw, quality: 0)
            #expect(image.pixelFormat == pixelFormat && image.colorimetry == source.colorimetry)
            #expect(image.data.array == source.packedBytes())
            let decoded = try ImageDecoder(pool: pool).decodeNative(image)
            #expect(decoded.packedBytes() == source.packedBytes())
            #expect(decoded.pixelFormat == pixelFormat && decoded.colorimetry == source.colorimetry)
        }
    }

    @Test("A raw image without padding is the picture's own memory, both ways")
    func rawWithoutCopy() throws {
        let source = try picture(.i420)
        let image = try ImageEncoder(pool: pool).encode(source, as: .raw, quality: 0)
        let decoded = try ImageDecoder(pool: pool).decodeNative(image)
        #expect(decoded.planes[0].base == source.planes[0].base)
        #expect(pool.counts == (0, 0))
    }

    @Test(
        "JPEG keeps the subsampling there is",
        arguments: [
            (PixelFormat.gray8, PixelFormat.gray8), (.i420, .i420), (.nv12, .i420), (.i422, .i422), (.yuyv, .i422),
            (.uyvy, .i422), (.i444, .i444), (.bgra32, .i420),
        ])
    func nativeJPEG(_ source: PixelFormat, _ native: PixelFormat) throws {
        let image = try ImageEncoder(pool: pool).encode(picture(source), as: .jpeg, quality: 80)
        let decoded = try ImageDecoder(pool: pool).decodeNative(image)
        #expect(decoded.pixelFormat == native && decoded.colorimetry.isLike(.jpeg))
        #expect(decoded.width == 65 && decoded.height == 47)
        let markers = try JPEGMarkers.parse(image.data.array)
        #expect(markers.pixelFormat == native && markers.size == decoded.size && markers.isWhole)
    }

    @Test(
        "JPEG of any subsampling, progressive or not, is decoded",
        arguments: [TJSAMP_440, TJSAMP_411, TJSAMP_420, TJSAMP_444].map(\.rawValue), [0, TJFLAG_PROGRESSIVE])
    func foreignJPEG(_ subsampling: UInt32, _ flags: Int32) throws {
        let source = try TestPicture.bgra(width: 65, height: 47)
        let file = BareLibrary.jpeg(source, subsampling: TJSAMP(subsampling), flags: flags)
        #expect(try JPEGMarkers.parse(file).isProgressive == (flags != 0))
        #expect(try JPEGMarkers.parse(file).isWhole)
        let image = try EncodedImage(file: SharedBytes(copying: file))
        let decoder = ImageDecoder(pool: pool)
        let native = try decoder.decodeNative(image)
        #expect(native.pixelFormat == (subsampling == TJSAMP_444.rawValue ? .i444 : .i420))
        #expect(native.colorimetry.isLike(.jpeg))
        for picture in [try decoder.decode(image), try Image(native).pixelBuffer] {
            #expect(psnr(picture.rows(), source.rows()) > 26)
        }
    }

    @Test("WebP decodes to i420 in limited range")
    func nativeWebP() throws {
        let source = try picture(.i420)
        let image = try ImageEncoder(pool: pool).encode(source, as: .webp, quality: 95)
        let decoded = try ImageDecoder(pool: pool).decodeNative(image)
        #expect(decoded.pixelFormat == .i420 && decoded.colorimetry.isLike(.webp) && image.colorimetry.isLike(.webp))
        #expect(psnr(decoded.rows(), source.rows()) > 35)
    }

    @Test("Decoding goes to every layout", arguments: ImageCodec.allCases, PixelFormat.allCases)
    func everyLayout(_ codec: ImageCodec, _ pixelFormat: PixelFormat) throws {
        let source = try picture(.i420)
        let image = try ImageEncoder(pool: pool).encode(source, as: codec, quality: 95)
        let decoded = try ImageDecoder(pool: pool).decode(image, to: pixelFormat)
        #expect(decoded.pixelFormat == pixelFormat && decoded.size == source.size)
        let converter = PixelConverter()
        let expected = try converter.convert(source, to: .gray8, colorimetry: .jpeg, pool: pool)
        let luma = try converter.convert(decoded, to: .gray8, colorimetry: .jpeg, pool: pool)
        #expect(psnr(luma.rows(), expected.rows()) > 32)
    }

    @Test("A crop is taken before scaling, in source pixels", arguments: ImageCodec.allCases)
    func cropAndScale(_ codec: ImageCodec) throws {
        // Left half dark, right half bright: the crop is all bright but for its first quarter.
        let source = try PixelBuffer(width: 80, height: 40, pixelFormat: .gray8, colorimetry: .jpeg) { planes in
            for y in 0..<40 { for x in 0..<80 { planes[0].base[80 * y + x] = x < 40 ? 40 : 200 } }
        }
        let crop = PixelRectangle(x: 31, y: 1, size: PixelSize(width: 36, height: 30))
        let image = try ImageEncoder(pool: pool).encode(
            source, as: codec, quality: 95, crop: crop, size: PixelSize(width: 12, height: 10))
        let decoded = try ImageDecoder(pool: pool).decode(image, to: .gray8)
        #expect(decoded.width == 12 && decoded.height == 10)
        let range = decoded.colorimetry.range
        for row in decoded.rows() {
            let dark = range == .full ? 40 : 50
            let bright = range == .full ? 200 : 188
            for (x, value) in row.enumerated() where x != 3 && x != 2 {
                #expect(abs(Int(value) - (x < 3 ? dark : bright)) <= 12, "\(x)")
            }
        }
    }

    @Test("A side above WebP's limit is refused, JPEG takes it")
    func webPLimit() throws {
        let source = try PixelBuffer(width: 16_384, height: 2, pixelFormat: .gray8, colorimetry: .jpeg) {
            $0[0].base.update(repeating: 128, count: 32_768)
        }
        let encoder = ImageEncoder(pool: pool)
        #expect(throws: ImagingError.sizeOutOfRange(source.size)) {
            try encoder.encode(source, as: .webp, quality: 80)
        }
        let image = try encoder.encode(source, as: .jpeg, quality: 80)
        #expect(try ImageDecoder(pool: pool).decode(image).width == 16_384)
        let largest = try encoder.encode(
            source, as: .webp, quality: 80, crop: PixelRectangle(x: 0, y: 0, size: PixelSize(width: 16_383, height: 2)))
        #expect(try ImageDecoder(pool: pool).decode(largest).width == 16_383)
    }

    @Test("The smallest pictures survive every codec", arguments: ImageCodec.allCases, PixelFormat.allCases)
    func smallest(_ codec: ImageCodec, _ pixelFormat: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 3), (3, 1), (2, 2)] {
            let source = try ReferenceColor(colorimetry: .webp).picture(
                SIMD3(0.25, 0.5, 0.75), width: width, height: height, pixelFormat, padding: 3)
            let image = try ImageEncoder(pool: pool).encode(source, as: codec, quality: 95)
            let decoded = try ImageDecoder(pool: pool).decode(image)
            #expect(decoded.width == width && decoded.height == height)
            if pixelFormat != .gray8 {
                #expect(decoded.largestDifference(from: [191, 128, 64, 255]) <= 5, "\(width)x\(height)")
            }
        }
    }

    @Test("Encoding and decoding use the same blocks over and over", arguments: ImageCodec.allCases)
    func reuse(_ codec: ImageCodec) throws {
        let (encoder, decoder) = (ImageEncoder(pool: pool), ImageDecoder(pool: pool))
        let source = try picture(.yuyv, width: 320, height: 240)
        var bases: Set<UnsafeMutablePointer<UInt8>> = []
        for _ in 0..<20 {
            let image = try encoder.encode(source, as: codec, quality: 75, pixelFormat: .i420)
            try bases.insert(decoder.decode(image).planes[0].base)
            #expect(pool.counts.outstanding <= 2)
        }
        #expect(bases.count == 1)
        #expect(pool.counts.outstanding == 0 && pool.counts.idle <= 2)
    }

    @Test("A pool without a block left is an error, and the next call works again")
    func outOfBuffers() throws {
        let small = MemoryPool(limit: 1)
        let (encoder, decoder) = (ImageEncoder(pool: small), ImageDecoder(pool: small))
        let source = try picture(.i420)
        do {
            let held = try encoder.encode(source, as: .webp, quality: 75)
            #expect(throws: ImagingError.outOfBuffers) { try encoder.encode(source, as: .webp, quality: 75) }
            #expect(throws: ImagingError.outOfBuffers) { try decoder.decode(held) }
        }
        _ = try encoder.encode(source, as: .webp, quality: 75)
    }

    @Test("Quality beyond the scale is taken as its end", arguments: [ImageCodec.webp, .jpeg])
    func quality(_ codec: ImageCodec) throws {
        let encoder = ImageEncoder(pool: pool)
        let source = try picture(.i420, width: 128, height: 128)
        let counts = try [-5, 0, 50, 100, 200].map {
            try encoder.encode(source, as: codec, quality: $0).data.count
        }
        #expect(counts[0] == counts[1] && counts[1] < counts[2] && counts[2] < counts[3] && counts[3] == counts[4])
    }
}
