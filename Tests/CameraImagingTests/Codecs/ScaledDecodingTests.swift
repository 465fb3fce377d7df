import CTurboJPEG
import CameraImaging
import CameraMedia
import Testing

@Suite("Decoding for a smaller size")
struct ScaledDecodingTests {
    private let pool = MemoryPool(limit: 6)

    @Test(
        "JPEG is decoded at the smallest part of its size that is large enough",
        arguments: [
            (PixelSize(width: 322, height: 181), PixelSize(width: 641, height: 361)),
            (PixelSize(width: 321, height: 181), PixelSize(width: 321, height: 181)),
            (PixelSize(width: 320, height: 180), PixelSize(width: 321, height: 181)),
            (PixelSize(width: 161, height: 20), PixelSize(width: 161, height: 91)),
            (PixelSize(width: 20, height: 46), PixelSize(width: 81, height: 46)),
            (PixelSize(width: 1, height: 1), PixelSize(width: 81, height: 46)),
            (PixelSize(width: 1000, height: 10), PixelSize(width: 641, height: 361)),
        ])
    func sizes(_ wanted: PixelSize, _ expected: PixelSize) throws {
        // One more than eight times 80x45: the parts are rounded up.
        let source = try TestPicture.bgra(width: 641, height: 361)
        let image = try ImageEncoder(pool: pool).encode(source, as: .jpeg, quality: 80)
        #expect(try ImageDecoder(pool: pool).decodeNative(image, forSize: wanted).size == expected)
    }

    @Test(
        "The picture is the one that scaling the whole gives, of any layout",
        arguments: [PixelFormat.gray8, .i420, .i422, .i444], [2, 4, 8])
    func content(_ pixelFormat: PixelFormat, _ divisor: Int) throws {
        let converter = PixelConverter()
        let source = try converter.convert(
            TestPicture.bgra(width: 330, height: 250), to: pixelFormat, colorimetry: .jpeg, pool: pool)
        let image = try ImageEncoder(pool: pool).encode(source, as: .jpeg, quality: 95)
        let decoder = ImageDecoder(pool: pool)
        let size = PixelSize(
            width: UInt32((330 + divisor - 1) / divisor), height: UInt32((250 + divisor - 1) / divisor))
        let part = try decoder.decodeNative(image, forSize: size)
        #expect(part.size == size && part.pixelFormat == pixelFormat && part.colorimetry.isLike(.jpeg))
        let whole = try decoder.decodeNative(image)
        let scaled = try converter.convert(whole, to: pixelFormat, size: size, pool: pool)
        for plane in 0..<part.planeCount {
            #expect(psnr(part.rows(ofPlane: plane), scaled.rows(ofPlane: plane)) > 30, "plane \(plane)")
        }
    }

    @Test("Subsamplings without a layout are scaled as well")
    func foreign() throws {
        let source = try TestPicture.bgra(width: 330, height: 250)
        let file = BareLibrary.jpeg(source, subsampling: TJSAMP_411, flags: 0)
        let image = try EncodedImage(file: SharedBytes(copying: file))
        let size = PixelSize(width: 165, height: 125)
        let part = try ImageDecoder(pool: pool).decodeNative(image, forSize: size)
        let expected = try PixelConverter().convert(source, to: .bgra32, size: size, pool: pool)
        #expect(part.size == size && part.pixelFormat == .i420)
        #expect(try psnr(Image(part).pixelBuffer.rows(), expected.rows()) > 26)
    }

    @Test("The smallest pictures, and other codecs, come whole or nearly so")
    func smallest() throws {
        for codec in ImageCodec.allCases {
            for (width, height) in [(1, 1), (3, 1), (2, 17)] {
                let source = try TestPicture.bgra(width: width, height: height)
                let image = try ImageEncoder(pool: pool).encode(source, as: codec, quality: 95)
                let wanted = PixelSize(width: 1, height: 1)
                let size = try ImageDecoder(pool: pool).decodeNative(image, forSize: wanted).size
                let expected =
                    codec == .jpeg
                    ? PixelSize(width: 1, height: UInt32((height + 7) / 8)) : source.size
                #expect(size == expected)
            }
        }
    }
}
