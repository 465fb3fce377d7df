import CTurboJPEG
import CWebP
import CameraImaging
import CameraMedia
import Testing

@Suite("Quality against the bare libraries")
struct LumaQualityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var pixelFormat: PixelFormat
        var colorimetry: Colorimetry
        var width: Int
        var height: Int
        var padding: Int
        var testDescription: String {
            "\(pixelFormat.name) \(colorimetry.matrix) \(colorimetry.range) \(width)x\(height)+\(padding)"
        }
    }

    static let cases = PixelFormat.allCases.flatMap { pixelFormat in
        (pixelFormat.isRGB ? [.rgb] : allColorimetries).flatMap { colorimetry in
            [(96, 64, 0), (99, 65, 21)].map { size in
                Case(
                    pixelFormat: pixelFormat, colorimetry: colorimetry, width: size.0, height: size.1, padding: size.2)
            }
        }
    }

    @Test("At quality 90 luma is within 1 dB of what the bare library makes of the same picture", arguments: cases)
    func luma(_ case: Case) throws {
        let pool = MemoryPool(limit: 8)
        let (encoder, decoder, converter) = (ImageEncoder(pool: pool), ImageDecoder(pool: pool), PixelConverter())
        let original = try TestPicture.bgra(width: `case`.width, height: `case`.height)
        let source = try TestPicture.padded(
            converter.convert(
                original, to: `case`.pixelFormat, colorimetry: `case`.colorimetry, pool: MemoryPool(limit: 1)),
            by: `case`.padding)
        // What the source's pixels mean, subsampling and rounding included.
        let meant = try converter.convert(source, to: .bgra32, pool: pool)
        let isGray = `case`.pixelFormat == .gray8
        for codec in [ImageCodec.webp, .jpeg] {
            let image = try encoder.encode(source, as: codec, quality: 90)
            let decoded = try decoder.decode(image)
            let bare =
                codec == .webp
                ? BareLibrary.throughWebP(meant, quality: 90)
                : try BareLibrary.throughJPEG(meant, quality: 90, isGray: isGray, `case`.pixelFormat)
            let reference = luma(of: meant)
            let difference = psnr(luma(of: decoded), reference) - psnr(luma(of: bare), reference)
            #expect(difference > -1, "\(codec.name)")
            for (mean, expected) in zip(decoded.means(componentCount: 4), meant.means(componentCount: 4)) {
                #expect(abs(mean - expected) < 1.5, "\(codec.name) colour cast")
            }
        }
    }

    private func luma(of picture: PixelBuffer) -> [[UInt8]] {
        picture.rows().map { row in
            stride(from: 0, to: row.count, by: 4).map { index -> UInt8 in
                let sum = 114 * Int(row[index]) + 587 * Int(row[index + 1]) + 299 * Int(row[index + 2])
                return UInt8((sum + 500) / 1000)
            }
        }
    }

    @Test("Planes in the codec's own colorimetry give the bare library's bytes", arguments: [PixelFormat.i420, .nv12])
    func samePlanes(_ pixelFormat: PixelFormat) throws {
        let pool = MemoryPool(limit: 8)
        let (encoder, converter) = (ImageEncoder(pool: pool), PixelConverter())
        let picture = try TestPicture.bgra(width: 162, height: 98)
        for (codec, colorimetry) in [(ImageCodec.webp, Colorimetry.webp), (.jpeg, .jpeg)] {
            let planes = try converter.convert(picture, to: .i420, colorimetry: colorimetry, pool: pool)
            let source = try converter.convert(planes, to: pixelFormat, pool: pool)
            let image = try encoder.encode(source, as: codec, quality: 75)
            #expect(image.colorimetry.isLike(colorimetry))
            let bare =
                codec == .webp
                ? BareLibrary.webP(planes, quality: 75) : BareLibrary.jpeg(planes, quality: 75)
            #expect(image.data.array == bare)
        }
    }
}
