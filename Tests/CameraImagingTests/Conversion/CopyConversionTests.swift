import CameraImaging
import CameraMedia
import Testing

@Suite("Copying pixels out in another layout")
struct CopyConversionTests {
    private func source(_ pixelFormat: PixelFormat, width: Int = 37, height: Int = 23) throws -> PixelBuffer {
        let picture = try PixelConverter().convert(
            TestPicture.bgra(width: width, height: height), to: pixelFormat,
            colorimetry: Colorimetry(matrix: .bt709, range: .full), pool: MemoryPool(limit: 1))
        return try TestPicture.padded(picture, by: 7)
    }

    /// What is copied to memory of `byteCount` bytes, all 0xEE before.
    private func copied(
        _ picture: PixelBuffer, byteCount: Int, bytesPerRow: Int? = nil, as pixelFormat: PixelFormat,
        crop: PixelRectangle? = nil, size: PixelSize? = nil
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: byteCount)
        try bytes.withUnsafeMutableBytes { memory in
            try picture.copy(to: memory, bytesPerRow: bytesPerRow, as: pixelFormat, crop: crop, size: size)
        }
        return bytes
    }

    @Test(
        "From any layout to any other it is what the converter makes, and not a byte more is written",
        arguments: PixelFormat.allCases, PixelFormat.allCases)
    func everyLayout(_ from: PixelFormat, _ to: PixelFormat) throws {
        let picture = try source(from)
        let expected = try PixelConverter().convert(picture, to: to, pool: MemoryPool(limit: 1)).packedBytes()
        let bytes = try copied(picture, byteCount: expected.count + 64, as: to)
        #expect(bytes.prefix(expected.count).elementsEqual(expected))
        #expect(bytes.suffix(64).allSatisfy { $0 == 0xEE })
    }

    @Test(
        "At any bytes per row, what lies between rows stays",
        arguments: [PixelFormat.bgra32, .rgb24, .gray8, .i420, .nv12])
    func strides(_ pixelFormat: PixelFormat) throws {
        let picture = try source(.i422)
        let expected = try PixelConverter().convert(picture, to: pixelFormat, pool: MemoryPool(limit: 1))
        let stride = expected.bytesPerRow + 11
        let chromaStride = pixelFormat == .nv12 ? stride + stride % 2 : stride / 2 + stride % 2
        let bytes = try copied(picture, byteCount: stride * 23 * 2, bytesPerRow: stride, as: pixelFormat)
        var wanted: [UInt8] = []
        for plane in 0..<expected.planeCount {
            for row in expected.rows(ofPlane: plane) {
                wanted += row + [UInt8](repeating: 0xEE, count: (plane == 0 ? stride : chromaStride) - row.count)
            }
        }
        #expect(bytes.prefix(wanted.count).elementsEqual(wanted))
        #expect(bytes.dropFirst(wanted.count).allSatisfy { $0 == 0xEE })
    }

    @Test("The picture's own matrix and range are used", arguments: allColorimetries)
    func colors(_ colorimetry: Colorimetry) throws {
        let color = SIMD3(0.75, 0.25, 0.5)
        let picture = try ReferenceColor(colorimetry: colorimetry).picture(color, width: 8, height: 4, .i420)
        let bytes = try copied(picture, byteCount: 8 * 4 * 3, as: .rgb24)
        for (offset, byte) in bytes.enumerated() {
            #expect(abs(Double(byte) - 255 * color[offset % 3]) <= 3)
        }
        let luma = try copied(picture, byteCount: 32, as: .gray8)
        #expect(luma == picture.rows().flatMap { $0 })
    }

    @Test("A part, scaled or not, odd or not")
    func cropAndScale() throws {
        let crop = PixelRectangle(x: 3, y: 5, size: PixelSize(width: 20, height: 12))
        let size = PixelSize(width: 10, height: 6)
        // An odd crop of chroma is a part of a picture that was unpacked before: nothing comes after it.
        let cases: [(PixelFormat, PixelFormat, PixelSize?)] = [
            (.i420, .i444, nil), (.i420, .bgra32, size), (.bgra32, .bgra32, nil), (.bgra32, .gray8, size),
        ]
        for (from, to, size) in cases {
            let picture = try source(from)
            let expected = try PixelConverter().convert(
                picture, to: to, crop: crop, size: size, pool: MemoryPool(limit: 1)
            ).packedBytes()
            let bytes = try copied(picture, byteCount: expected.count + 64, as: to, crop: crop, size: size)
            #expect(Array(bytes.prefix(expected.count)) == expected, "\(from.name) to \(to.name)")
            #expect(bytes.suffix(64).allSatisfy { $0 == 0xEE })
        }
    }

    @Test("What cannot be copied says why, and nothing is written")
    func refusals() throws {
        let picture = try source(.i420)
        func refusal(
            _ error: ImagingError, byteCount: Int = 4096, bytesPerRow: Int? = nil, crop: PixelRectangle? = nil,
            size: PixelSize? = nil
        ) {
            var bytes = [UInt8](repeating: 0xEE, count: byteCount)
            #expect(throws: error) {
                try bytes.withUnsafeMutableBytes {
                    try picture.copy(to: $0, bytesPerRow: bytesPerRow, as: .bgra32, crop: crop, size: size)
                }
            }
            #expect(bytes.allSatisfy { $0 == 0xEE })
        }
        refusal(.memoryTooSmall(byteCount: 37 * 23 * 4 - 1, needed: 37 * 23 * 4), byteCount: 37 * 23 * 4 - 1)
        refusal(.bytesPerRowOutOfRange(147, allowed: 148...Int(Int32.max)), bytesPerRow: 147)
        let outside = PixelRectangle(x: 30, y: 0, size: PixelSize(width: 8, height: 1))
        refusal(.cropOutOfRange(outside, picture: picture.size), crop: outside)
        for size in [PixelSize(width: 0, height: 5), PixelSize(width: .max, height: .max)] {
            refusal(.sizeOutOfRange(size), size: size)
        }
    }
}
