import CameraMedia
import Testing

@Suite("Pixel buffer")
struct PixelBufferTests {
    /// A picture whose bytes count up, its rows `padding` bytes longer than they need be.
    private func picture(_ pixelFormat: PixelFormat, width: Int, height: Int, padding: Int = 0) throws -> PixelBuffer {
        let shapes = (0..<pixelFormat.planeCount).map { pixelFormat.plane($0, width: width, height: height) }
        let block = try #require(
            MemoryPool(limit: 1).makeBlock(
                byteCount: shapes.reduce(0) { $0 + ($1.rowByteCount + padding) * $1.rowCount }))
        var base = block.base.assumingMemoryBound(to: UInt8.self)
        var next: UInt8 = 0
        let planes = shapes.map { shape in
            let plane = PlaneMemory(base: base, bytesPerRow: shape.rowByteCount + padding, shape: shape)
            for row in 0..<shape.rowCount {
                for byte in 0..<shape.rowByteCount {
                    base[row * plane.bytesPerRow + byte] = next
                    next &+= 1
                }
            }
            base += (shape.rowByteCount + padding) * shape.rowCount
            return plane
        }
        return PixelBuffer(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: .webp, planes: planes, owner: block)
    }

    @Test("Packing leaves padding out and keeps order", arguments: PixelFormat.allCases)
    func packed(_ pixelFormat: PixelFormat) throws {
        for (width, height) in [(8, 4), (7, 5), (1, 1)] {
            let expected = (0..<pixelFormat.byteCount(width: width, height: height)).map {
                UInt8(truncatingIfNeeded: $0)
            }
            let tight = try picture(pixelFormat, width: width, height: height)
            #expect(tight.isPacked && tight.packedBytes() == expected)
            let loose = try picture(pixelFormat, width: width, height: height, padding: 5)
            #expect(!loose.isPacked && loose.packedBytes() == expected)
        }
    }

    @Test("Base address, bytes per row and rows describe each plane")
    func access() throws {
        let buffer = try picture(.nv12, width: 5, height: 3, padding: 2)
        #expect(buffer.planeCount == 2 && buffer.bytesPerRow == 7 && buffer.bytesPerRow(ofPlane: 1) == 8)
        #expect(buffer.rowCount(ofPlane: 0) == 3 && buffer.rowCount(ofPlane: 1) == 2)
        buffer.withBaseAddress { bytes in
            #expect(bytes.count == 2 * 7 + 5 && bytes[7] == 5)
        }
        buffer.withBaseAddress(ofPlane: 1) { bytes in
            #expect(bytes.count == 8 + 6 && bytes[0] == 15)
        }
    }

    @Test("A picture in a pool's block gives it back with the last reference")
    func pool() throws {
        let pool = MemoryPool(limit: 1)
        do {
            let buffer = try PixelBuffer(width: 9, height: 3, pixelFormat: .i420, colorimetry: .jpeg, pool: pool) {
                for plane in $0 { plane.base.update(repeating: 9, count: plane.byteCount) }
            }
            #expect(buffer.isPacked && buffer.packedBytes() == [UInt8](repeating: 9, count: 27 + 2 * 10))
            #expect(throws: PixelBufferError.outOfBuffers) {
                try PixelBuffer(width: 1, height: 1, pixelFormat: .gray8, colorimetry: .jpeg, pool: pool) { _ in }
            }
        }
        #expect(pool.counts == (0, 1))
    }

    @Test(
        "Sizes out of range are refused",
        arguments: [(0, 1), (1, 0), (-1, 1), (Limits.pixelCount, 2), (Int.max, Int.max)])
    func size(_ width: Int, _ height: Int) {
        #expect(throws: PixelBufferError.size(width: width, height: height)) {
            try PixelBuffer(width: width, height: height, pixelFormat: .gray8, colorimetry: .jpeg) { _ in }
        }
    }

    @Test("What fill throws comes out, and the block goes back")
    func fillThrows() {
        struct Refusal: Error {}
        let pool = MemoryPool(limit: 1)
        #expect(throws: Refusal.self) {
            try PixelBuffer(width: 1, height: 1, pixelFormat: .gray8, colorimetry: .jpeg, pool: pool) { _ in
                throw Refusal()
            }
        }
        #expect(pool.counts == (0, 1))
    }
}
