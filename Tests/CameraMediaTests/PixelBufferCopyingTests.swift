import CameraMedia
import Testing

@Suite("Copying pixel buffers")
struct PixelBufferCopyingTests {
    /// A picture whose bytes count up from 0, plane after plane.
    private func picture(_ pixelFormat: PixelFormat, width: Int, height: Int) throws -> PixelBuffer {
        var next: UInt8 = 0
        return try PixelBuffer(width: width, height: height, pixelFormat: pixelFormat, colorimetry: .webp) { planes in
            for plane in planes {
                for row in 0..<plane.rowCount {
                    plane.withRow(row) { bytes in
                        for x in bytes.indices {
                            bytes[x] = next
                            next &+= 1
                        }
                    }
                }
            }
        }
    }

    /// Memory of `count` bytes, all 0xEE, after `body` wrote to it.
    private func written(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(PixelBufferError) -> Void
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: count)
        try bytes.withUnsafeMutableBytes { try body($0) }
        return bytes
    }

    @Test("Without padding it is what a raw frame has; one byte less is refused", arguments: PixelFormat.allCases)
    func packed(_ pixelFormat: PixelFormat) throws {
        let source = try picture(pixelFormat, width: 7, height: 5)
        let packed = source.packedBytes()
        #expect(packed == packed.indices.map { UInt8(truncatingIfNeeded: $0) })
        let copy = try written(packed.count + 3) { (memory) throws(PixelBufferError) in try source.copy(to: memory) }
        #expect(copy == packed + [0xEE, 0xEE, 0xEE])
        #expect(throws: PixelBufferError.memoryTooSmall(byteCount: packed.count - 1, needed: packed.count)) {
            try written(packed.count - 1) { (memory) throws(PixelBufferError) in try source.copy(to: memory) }
        }
        #expect(throws: PixelBufferError.memoryTooSmall(byteCount: 0, needed: packed.count)) {
            try source.copy(to: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        }
    }

    @Test(
        "Any bytes per row: chroma in proportion, padding untouched, none after the last row",
        arguments: [
            (PixelFormat.gray8, [9]), (.bgra32, [29]), (.yuyv, [17]), (.i420, [9, 5, 5]), (.i422, [9, 5, 5]),
            (.i444, [9, 9, 9]), (.nv12, [9, 10]),
        ])
    func strides(_ pixelFormat: PixelFormat, _ expected: [Int]) throws {
        let source = try picture(pixelFormat, width: 7, height: 3)
        var (wanted, next) = ([UInt8](), 0)
        for (plane, stride) in expected.enumerated() {
            let shape = pixelFormat.plane(plane, width: 7, height: 3)
            for _ in 0..<shape.rowCount {
                wanted += (next..<(next + shape.rowByteCount)).map { UInt8($0) }
                wanted += [UInt8](repeating: 0xEE, count: stride - shape.rowByteCount)
                next += shape.rowByteCount
            }
        }
        let needed = wanted.lastIndex { $0 != 0xEE }.map { $0 + 1 } ?? 0
        let copy = try written(wanted.count) { (memory) throws(PixelBufferError) in
            try source.copy(to: memory, bytesPerRow: expected[0])
        }
        #expect(copy == wanted)
        #expect(throws: PixelBufferError.memoryTooSmall(byteCount: needed - 1, needed: needed)) {
            try written(needed - 1) { (memory) throws(PixelBufferError) in
                try source.copy(to: memory, bytesPerRow: expected[0])
            }
        }
        // And back again.
        let back = try PixelBuffer(
            copying: copy.span, bytesPerRow: expected[0], width: 7, height: 3, pixelFormat: pixelFormat)
        #expect(back.packedBytes() == source.packedBytes())
        #expect(back.colorimetry == (pixelFormat.isRGB ? .rgb : .webp))
    }

    @Test("Bytes per row that are fewer than a row has, or too many, are refused", arguments: [27, 0, -1, Int.max])
    func bytesPerRow(_ bytesPerRow: Int) throws {
        let source = try picture(.bgra32, width: 7, height: 1)
        let refusal = PixelBufferError.bytesPerRowOutOfRange(bytesPerRow, allowed: 28...Int(Int32.max))
        #expect(throws: refusal) {
            try written(4096) { (memory) throws(PixelBufferError) in
                try source.copy(to: memory, bytesPerRow: bytesPerRow)
            }
        }
        #expect(throws: refusal) {
            let bytes = [UInt8](repeating: 0, count: 28)
            _ = try PixelBuffer(
                copying: bytes.span, bytesPerRow: bytesPerRow, width: 7, height: 1, pixelFormat: .bgra32)
        }
    }

    @Test("One plane, at any bytes per row")
    func onePlane() throws {
        let source = try picture(.nv12, width: 3, height: 3)  // 9 bytes of luma, then 2 rows of 4
        let copy = try written(10) { (memory) throws(PixelBufferError) in
            try source.copyPlane(1, to: memory, bytesPerRow: 6)
        }
        #expect(copy == [9, 10, 11, 12, 0xEE, 0xEE, 13, 14, 15, 16])
        #expect(throws: PixelBufferError.memoryTooSmall(byteCount: 7, needed: 8)) {
            try written(7) { (memory) throws(PixelBufferError) in try source.copyPlane(1, to: memory) }
        }
    }

    @Test("A picture is made of a program's bytes, in a pool's block if there is one")
    func copying() throws {
        let pool = MemoryPool(limit: 1)
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
        let buffer = try PixelBuffer(
            copying: bytes.span, width: 2, height: 3, pixelFormat: .gray8, colorimetry: .jpeg, pool: pool)
        #expect(buffer.packedBytes() == bytes && buffer.colorimetry == .jpeg)
        #expect(throws: PixelBufferError.outOfBuffers) {
            _ = try PixelBuffer(copying: bytes.span, width: 2, height: 3, pixelFormat: .gray8, pool: pool)
        }
        #expect(throws: PixelBufferError.memoryTooSmall(byteCount: 6, needed: 8)) {
            _ = try PixelBuffer(copying: bytes.span, width: 2, height: 4, pixelFormat: .gray8)
        }
        #expect(throws: PixelBufferError.size(width: 0, height: 4)) {
            _ = try PixelBuffer(copying: bytes.span, width: 0, height: 4, pixelFormat: .gray8)
        }
    }

    @Test("The bytes of a plane, without a copy")
    func spans() throws {
        let source = try picture(.nv12, width: 4, height: 2)
        let (luma, chroma) = (source.bytes(), source.bytes(ofPlane: 1))
        #expect(luma.count == 8 && chroma.count == 4)
        #expect(chroma.indices.map { chroma[$0] } == [8, 9, 10, 11])
        let isSame = source.withBaseAddress { bytes in
            luma.withUnsafeBufferPointer { $0.baseAddress == bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) }
        }
        #expect(isSame)
    }
}
