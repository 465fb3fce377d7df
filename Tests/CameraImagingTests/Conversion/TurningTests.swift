import CameraMedia
import CameraProtocol
import Testing

@testable import CameraImaging

@Suite("Turning pictures")
struct TurningTests {
    /// A picture of 3x2 whose pixels are numbered 0 to 5, row by row.
    private let picture: PixelBuffer

    init() throws {
        picture = try PixelBuffer(
            width: 3, height: 2, pixelFormat: .gray8, colorimetry: Colorimetry(matrix: .bt601, range: .full)
        ) { planes in
            for pixel in 0..<6 { planes[0].bytes[pixel] = UInt8(pixel) }
        }
    }

    @Test(
        "mirrors first, then turns clockwise",
        arguments: [
            (0, false, [0, 1, 2, 3, 4, 5]), (90, false, [3, 0, 4, 1, 5, 2]), (180, false, [5, 4, 3, 2, 1, 0]),
            (270, false, [2, 5, 1, 4, 0, 3]), (0, true, [2, 1, 0, 5, 4, 3]), (90, true, [5, 2, 4, 1, 3, 0]),
        ] as [(Int, Bool, [UInt8])])
    func gray(clockwise: Int, isMirrored: Bool, expected: [UInt8]) throws {
        let turned = try PixelConverter().turn(
            picture, PictureTurn(clockwise: clockwise, isMirrored: isMirrored), to: .gray8, pool: MemoryPool(limit: 1))
        #expect(turned.width == (clockwise == 90 || clockwise == 270 ? 2 : 3))
        #expect(turned.packedBytes() == expected)
    }

    @Test("does the same in every layout, odd sides included", arguments: PixelFormat.allCases)
    func layouts(format: PixelFormat) throws {
        let turn = PictureTurn(clockwise: 90, isMirrored: true)
        // Left half dark, right half bright: mirrored, dark is right; turned by 90 degrees, it is below.
        let source = try PixelBuffer(
            width: 17, height: 9, pixelFormat: .gray8, colorimetry: Colorimetry(matrix: .bt601, range: .full)
        ) { planes in
            for row in 0..<9 { for column in 0..<17 { planes[0].bytes[row * 17 + column] = column < 8 ? 20 : 230 } }
        }
        let converter = PixelConverter()
        let inLayout = try converter.convert(source, to: format, pool: MemoryPool(limit: 1))
        let turned = try converter.turn(inLayout, turn, to: format, pool: MemoryPool(limit: 1))
        #expect(turned.pixelFormat == format)
        #expect(turned.size == PixelSize(width: 9, height: 17))
        let bgra = try converter.convert(turned, to: .bgra32, pool: MemoryPool(limit: 1)).packedBytes()
        for row in [0, 6, 11, 16] {
            let pixel = bgra[(row * 9 + 4) * 4 + 1]
            #expect(row < 8 ? pixel > 200 : pixel < 60, "row \(row): \(pixel)")
        }
    }
}
