import CameraImaging
import CameraMedia
import Testing

@Suite("Conversion")
struct PixelConverterTests {
    private let converter = PixelConverter()
    private let pool = MemoryPool(limit: 4)

    @Test("A picture that already is what is wanted comes back itself", arguments: PixelFormat.allCases)
    func nothingToDo(_ pixelFormat: PixelFormat) throws {
        let source = try ReferenceColor(colorimetry: .webp).picture(
            SIMD3(0.2, 0.4, 0.6), width: 7, height: 5, pixelFormat, padding: 9)
        let all = PixelRectangle(x: 0, y: 0, size: source.size)
        #expect(try converter.convert(source, to: pixelFormat, pool: pool) === source)
        #expect(
            try converter.convert(
                source, to: pixelFormat, colorimetry: source.colorimetry, crop: all, size: source.size, pool: pool)
                === source)
    }

    /// The exact value of each of the 256 bytes in the other range.
    private static func exact(_ value: Int, isChroma: Bool, to range: ColorRange) -> Double {
        switch (isChroma, range) {
        case (false, .full): min(max(Double(value - 16) * 255 / 219, 0), 255)
        case (true, .full): min(max(128 + Double(value - 128) * 255 / 224, 0), 255)
        case (false, .limited): 16 + Double(value) * 219 / 255
        case (true, .limited): 128 + Double(value - 128) * 224 / 255
        }
    }

    @Test("Every value of luma and chroma goes to the nearest one of the other range", arguments: ColorRange.allCases)
    func range(_ range: ColorRange) throws {
        let other: ColorRange = range == .full ? .limited : .full
        let source = try PixelBuffer(
            width: 256, height: 1, pixelFormat: .i444, colorimetry: Colorimetry(matrix: .bt709, range: other)
        ) { planes in
            for plane in planes { for value in 0..<256 { plane.base[value] = UInt8(value) } }
        }
        let wanted = Colorimetry(matrix: .bt709, range: range)
        let converted = try converter.convert(source, to: .i444, colorimetry: wanted, pool: pool)
        #expect(converted.colorimetry == wanted)
        for plane in 0..<3 {
            for (value, result) in converted.rows(ofPlane: plane)[0].enumerated() {
                let exact = Self.exact(value, isChroma: plane > 0, to: range)
                #expect(
                    abs(Double(result) - exact) <= (plane > 0 && range == .full ? 1 : 0.75), "plane \(plane), \(value)")
            }
        }
        // Neutral stays neutral.
        #expect(converted.rows(ofPlane: 1)[0][128] == 128)
    }

    @Test("RGB becomes the components that the recommendation says", arguments: allColorimetries)
    func fromRGB(_ colorimetry: Colorimetry) throws {
        for color in barColors {
            let source = try ReferenceColor(colorimetry: .rgb).picture(color, width: 19, height: 7, .bgra32)
            let expected = ReferenceColor(colorimetry: colorimetry).components(of: color)
            for pixelFormat in [PixelFormat.i420, .i422, .i444, .gray8] {
                let converted = try converter.convert(source, to: pixelFormat, colorimetry: colorimetry, pool: pool)
                for plane in 0..<pixelFormat.planeCount {
                    let values = Set(converted.rows(ofPlane: plane).joined())
                    #expect(values.count == 1)
                    for value in values { #expect(abs(Double(value) - expected[plane]) <= 1.5, "\(color)") }
                }
            }
        }
    }

    @Test("Components become the RGB that the recommendation says", arguments: allColorimetries, PixelFormat.allCases)
    func toRGB(_ colorimetry: Colorimetry, _ pixelFormat: PixelFormat) throws {
        guard pixelFormat != .gray8 else { return }
        for color in barColors {
            let source = try ReferenceColor(colorimetry: colorimetry).picture(
                color, width: 37, height: 5, pixelFormat, padding: 11)
            let (red, green, blue) = (color.x * 255, color.y * 255, color.z * 255)
            let patterns: [(PixelFormat, [Double])] = [
                (.bgra32, [blue, green, red, 255]), (.rgb24, [red, green, blue]), (.bgr24, [blue, green, red]),
            ]
            for (target, pattern) in patterns {
                let converted = try converter.convert(source, to: target, pool: pool)
                #expect(converted.largestDifference(from: pattern) <= 3, "\(target.name) \(color)")
            }
        }
    }

    @Test("Any matrix and range goes to any other", arguments: allColorimetries, allColorimetries)
    func matrixToMatrix(_ from: Colorimetry, _ to: Colorimetry) throws {
        for color in barColors {
            let expected = ReferenceColor(colorimetry: to).components(of: color)
            for pixelFormat in [PixelFormat.i420, .nv12, .yuyv] {
                let source = try ReferenceColor(colorimetry: from).picture(color, width: 9, height: 9, pixelFormat)
                let converted = try converter.convert(source, to: .i420, colorimetry: to, pool: pool)
                #expect(converted.colorimetry.isLike(to))
                for plane in 0..<3 {
                    for value in Set(converted.rows(ofPlane: plane).joined()) {
                        #expect(abs(Double(value) - expected[plane]) <= 3, "\(pixelFormat.name) \(color) \(plane)")
                    }
                }
            }
        }
    }

    @Test("Any Y'CbCr layout goes to any other without touching luma", arguments: PixelFormat.allCases)
    func layouts(_ from: PixelFormat) throws {
        guard !from.isRGB else { return }
        let colorimetry = Colorimetry(matrix: .bt709, range: .limited, transfer: .bt709)
        for (width, height) in [(32, 18), (33, 19), (1, 1)] {
            let bgra = try TestPicture.bgra(width: width, height: height)
            let source = try TestPicture.padded(
                converter.convert(bgra, to: from, colorimetry: colorimetry, pool: pool), by: 7)
            let luma = try converter.convert(source, to: .gray8, pool: pool)
            for to in PixelFormat.allCases where !to.isRGB {
                let converted = try converter.convert(source, to: to, pool: pool)
                #expect(converted.pixelFormat == to && converted.colorimetry == source.colorimetry)
                let result = try converter.convert(converted, to: .gray8, pool: pool)
                #expect(result.rows() == luma.rows(), "\(to.name) \(width)x\(height)")
            }
        }
    }

    @Test("Layouts with as much chroma as the source's keep all of it")
    func losslessLayouts() throws {
        let bgra = try TestPicture.bgra(width: 33, height: 19)
        let pairs: [(PixelFormat, [PixelFormat])] = [
            (.i420, [.nv12]), (.nv12, [.i420]), (.i422, [.yuyv, .uyvy]), (.yuyv, [.i422, .uyvy]),
            (.rgb24, [.bgr24, .bgra32]),
        ]
        for (from, through) in pairs {
            let source = try converter.convert(bgra, to: from, pool: MemoryPool(limit: 1))
            for middle in through {
                let there = try converter.convert(source, to: middle, pool: pool)
                let back = try converter.convert(there, to: from, pool: pool)
                // An odd width leaves the last sample of packed rows without a pixel.
                let expected = try converter.convert(source, to: .bgra32, pool: pool)
                #expect(
                    try converter.convert(back, to: .bgra32, pool: pool).rows() == expected.rows(), "\(middle.name)")
            }
        }
    }

    @Test("A crop is the same pixels, wherever it begins", arguments: PixelFormat.allCases)
    func crop(_ pixelFormat: PixelFormat) throws {
        let bgra = try TestPicture.bgra(width: 41, height: 29)
        let source = try TestPicture.padded(
            converter.convert(bgra, to: pixelFormat, pool: MemoryPool(limit: 1)), by: 3)
        let whole = try converter.convert(source, to: .bgra32, pool: MemoryPool(limit: 1)).rows()
        for (x, y) in [(0, 0), (4, 2), (1, 0), (0, 1), (7, 5), (20, 14)] {
            for (width, height) in [(16, 12), (15, 11), (1, 1)] {
                let crop = PixelRectangle(
                    x: UInt32(x), y: UInt32(y), size: PixelSize(width: UInt32(width), height: UInt32(height)))
                let part = try converter.convert(source, to: .bgra32, crop: crop, pool: pool)
                let expected = whole[y..<(y + height)].map { Array($0[(4 * x)..<(4 * (x + width))]) }
                // Chroma is interpolated where the crop splits a sample, so only luma is exact there.
                #expect(psnr(part.rows(), expected) > 33, "\(x),\(y),\(width)x\(height)")
            }
        }
    }

    @Test("A crop that does not lie in the picture is refused")
    func cropOutOfRange() throws {
        let source = try TestPicture.bgra(width: 8, height: 8)
        for (x, y, width, height) in [(0, 0, 9, 1), (8, 0, 1, 1), (UInt32.max, 0, 2, 1), (0, 0, 0, 1)]
            as [(UInt32, UInt32, UInt32, UInt32)]
        {
            let crop = PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
            #expect(throws: ImagingError.cropOutOfRange(crop, picture: source.size)) {
                try converter.convert(source, to: .bgra32, crop: crop, pool: pool)
            }
        }
    }

    @Test("Scaling keeps colours and places", arguments: PixelFormat.allCases)
    func scale(_ pixelFormat: PixelFormat) throws {
        let bgra = try TestPicture.bgra(width: 160, height: 120)
        let source = try TestPicture.padded(
            converter.convert(bgra, to: pixelFormat, pool: MemoryPool(limit: 1)), by: 5)
        let large = try converter.convert(source, to: .bgra32, pool: MemoryPool(limit: 1))
        for (width, height) in [(80, 60), (53, 41), (160, 60), (31, 17), (200, 150)] {
            let size = PixelSize(width: UInt32(width), height: UInt32(height))
            let scaled = try converter.convert(source, to: pixelFormat, size: size, pool: pool)
            #expect(scaled.size == size && scaled.pixelFormat == pixelFormat)
            let small = try converter.convert(scaled, to: .bgra32, pool: pool)
            let expected = (0..<height).map { y in
                (0..<width).flatMap { x in Self.mean(of: large, width: width, height: height, x: x, y: y) }
            }
            #expect(psnr(small.rows(), expected) > 26, "\(size)")
            for (mean, expected) in zip(small.means(componentCount: 4), large.means(componentCount: 4)) {
                // libyuv rounds down where it interpolates.
                #expect(abs(mean - expected) < 3, "\(size)")
            }
        }
    }

    /// The mean of the pixels that become the pixel at (`x`, `y`).
    private static func mean(of picture: PixelBuffer, width: Int, height: Int, x: Int, y: Int) -> [UInt8] {
        let columns = (x * picture.width / width)..<max((x + 1) * picture.width / width, x * picture.width / width + 1)
        let rows =
            (y * picture.height / height)..<max((y + 1) * picture.height / height, y * picture.height / height + 1)
        var sums = [0, 0, 0, 0]
        for row in rows {
            for column in columns {
                let pixel = picture.planes[0].base + row * picture.bytesPerRow + 4 * column
                for component in 0..<4 { sums[component] += Int(pixel[component]) }
            }
        }
        return sums.map { UInt8($0 / (rows.count * columns.count)) }
    }

    @Test("A size that cannot be scaled to is refused")
    func scaleOutOfRange() throws {
        let source = try TestPicture.bgra(width: 8, height: 8)
        for size in [
            PixelSize(width: 0, height: 4), PixelSize(width: 32_768, height: 1), PixelSize(width: 9000, height: 9000),
        ] {
            #expect(throws: ImagingError.sizeOutOfRange(size)) {
                try converter.convert(source, to: .bgra32, size: size, pool: pool)
            }
        }
    }

    @Test("RGB in limited range is widened")
    func limitedRGB() throws {
        let source = try PixelBuffer(
            width: 4, height: 2, pixelFormat: .rgb24, colorimetry: Colorimetry(matrix: .identity, range: .limited)
        ) { planes in
            for index in 0..<24 { planes[0].base[index] = [16, 126, 235][index % 3] }
        }
        let converted = try converter.convert(source, to: .bgra32, pool: pool)
        #expect(converted.largestDifference(from: [255, 128, 0, 255]) <= 1)
        #expect(converted.colorimetry.range == .full)
    }

    @Test("RGB in planes of a Y'CbCr layout is refused, not guessed")
    func identityPlanes() throws {
        let source = try ReferenceColor(colorimetry: .rgb).picture(SIMD3(0, 1, 0), width: 4, height: 4, .i444)
        #expect(throws: ImagingError.self) { try converter.convert(source, to: .bgra32, pool: pool) }
        let bgra = try TestPicture.bgra(width: 4, height: 4)
        #expect(throws: ImagingError.self) { try converter.convert(bgra, to: .i444, colorimetry: .rgb, pool: pool) }
    }

    @Test("Only the result is a block of the pool")
    func blocks() throws {
        let source = try TestPicture.bgra(width: 64, height: 64)
        let result = try converter.convert(
            source, to: .yuyv, colorimetry: Colorimetry(matrix: .bt709, range: .full),
            size: PixelSize(width: 32, height: 32), pool: pool)
        #expect(result.pixelFormat == .yuyv && pool.counts == (1, 0))
    }
}
