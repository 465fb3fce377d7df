import CameraImaging
import CameraMedia
import Testing

@Suite("Colour through the codecs")
struct CodecColorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var pixelFormat: PixelFormat
        var colorimetry: Colorimetry
        var testDescription: String { "\(pixelFormat.name) \(colorimetry.matrix) \(colorimetry.range)" }
    }

    static let cases = PixelFormat.allCases.flatMap { pixelFormat in
        (pixelFormat.isRGB ? [.rgb] : allColorimetries).map { Case(pixelFormat: pixelFormat, colorimetry: $0) }
    }

    @Test("A flat colour of any layout, matrix and range comes back as that colour", arguments: cases)
    func flatColor(_ case: Case) throws {
        let pool = MemoryPool(limit: 4)
        let encoder = ImageEncoder(pool: pool)
        let decoder = ImageDecoder(pool: pool)
        for (size, padding) in [((32, 16), 0), ((33, 17), 13)] {
            for color in barColors {
                let expected =
                    `case`.pixelFormat == .gray8
                    ? SIMD3(
                        repeating: ReferenceColor(colorimetry: .init(matrix: `case`.colorimetry.matrix, range: .full))
                            .components(of: color).x) : color * 255
                let source = try ReferenceColor(colorimetry: `case`.colorimetry).picture(
                    color, width: size.0, height: size.1, `case`.pixelFormat, padding: padding)
                for codec in ImageCodec.allCases {
                    let image = try encoder.encode(source, as: codec, quality: 95)
                    let decoded = try decoder.decode(image)
                    #expect(decoded.width == size.0 && decoded.height == size.1)
                    let difference = decoded.largestDifference(from: [expected.z, expected.y, expected.x, 255])
                    #expect(difference <= 5, "\(codec.name) \(color) \(size)")
                }
            }
        }
    }
}
