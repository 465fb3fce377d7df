import CameraMedia
import Synchronization

/// Pictures with the statistics of natural ones: smooth shading, edges, texture and slight noise, in full colour.
enum TestPicture {
    /// Red, green and blue at a place, 0 to 1, deterministic.
    static func color(x: Int, y: Int, width: Int, height: Int) -> SIMD3<Double> {
        let (u, v) = (Double(x) / Double(max(width, 2)), Double(y) / Double(max(height, 2)))
        let sky = SIMD3(0.35 + 0.2 * v, 0.5 + 0.2 * v, 0.8 - 0.1 * v)
        let hill = SIMD3(0.25 + 0.3 * u, 0.45 - 0.1 * u, 0.2)
        let horizon = 0.45 + 0.12 * wave(u * 2.3) + 0.04 * wave(u * 11)
        var color = v < horizon ? sky : hill
        let (dx, dy) = (u - 0.7, v - 0.35)
        if dx * dx + dy * dy < 0.02 { color = SIMD3(0.85, 0.35 + 0.3 * u, 0.25) }
        let texture = v < horizon ? 0.03 : 0.12
        let grain = wave(u * 37 + v * 19) * wave(v * 53 - u * 7)
        let shade = texture * grain + 0.015 * noise(x, y)
        return (color + SIMD3(repeating: shade)).clamped(
            lowerBound: SIMD3(repeating: 0.02), upperBound: SIMD3(repeating: 0.98))
    }

    private static let pictures = Mutex<[PixelSize: PixelBuffer]>([:])

    /// A picture in BGRA, made once for each size.
    static func bgra(width: Int, height: Int) throws -> PixelBuffer {
        let size = PixelSize(width: UInt32(width), height: UInt32(height))
        if let picture = pictures.withLock({ $0[size] }) { return picture }
        let picture = try make(width: width, height: height)
        pictures.withLock { $0[size] = picture }
        return picture
    }

    private static func make(width: Int, height: Int) throws -> PixelBuffer {
        try padded(width: width, height: height, .bgra32, .rgb, padding: 0) { planes in
            for y in 0..<height {
                for x in 0..<width {
                    let color = color(x: x, y: y, width: width, height: height) * 255
                    let pixel = planes[0].base + y * planes[0].bytesPerRow + 4 * x
                    (pixel[0], pixel[1], pixel[2]) = (UInt8(color.z), UInt8(color.y), UInt8(color.x))
                    pixel[3] = 255
                }
            }
        }
    }

    /// A picture whose rows are `padding` bytes longer than they need be; the padding is rubbish.
    static func padded(
        width: Int, height: Int, _ pixelFormat: PixelFormat, _ colorimetry: Colorimetry, padding: Int,
        fill: ([PlaneMemory]) -> Void
    ) throws -> PixelBuffer {
        let shapes = (0..<pixelFormat.planeCount).map { pixelFormat.plane($0, width: width, height: height) }
        let byteCount = shapes.reduce(0) { $0 + ($1.rowByteCount + padding) * $1.rowCount }
        guard let block = MemoryPool(limit: 1).makeBlock(byteCount: byteCount + 64) else {
            throw PixelBufferError.outOfBuffers
        }
        var base = block.base.assumingMemoryBound(to: UInt8.self)
        base.update(repeating: 0xEE, count: byteCount)
        let planes = shapes.map { shape in
            defer { base += (shape.rowByteCount + padding) * shape.rowCount }
            return PlaneMemory(base: base, bytesPerRow: shape.rowByteCount + padding, shape: shape)
        }
        fill(planes)
        return PixelBuffer(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry, planes: planes,
            owner: block)
    }

    /// A copy with padded rows.
    static func padded(_ buffer: PixelBuffer, by padding: Int) throws -> PixelBuffer {
        try padded(
            width: buffer.width, height: buffer.height, buffer.pixelFormat, buffer.colorimetry, padding: padding
        ) { planes in
            for (source, target) in zip(buffer.planes, planes) {
                for row in 0..<source.rowCount {
                    (target.base + row * target.bytesPerRow).update(
                        from: source.base + row * source.bytesPerRow, count: source.shape.rowByteCount)
                }
            }
        }
    }

    private static func wave(_ x: Double) -> Double {
        // A parabola a half period is close enough to a sine.
        let phase = x - x.rounded(.down)
        let half = phase < 0.5 ? phase * 2 : (phase - 0.5) * 2
        return (phase < 0.5 ? 4 : -4) * half * (1 - half)
    }

    private static func noise(_ x: Int, _ y: Int) -> Double {
        var bits = UInt64(truncatingIfNeeded: x) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: y) &* 0xC2B2_AE3D
        bits ^= bits >> 29
        bits = bits &* 0xBF58_476D_1CE4_E5B9
        bits ^= bits >> 32
        return Double(bits & 0xFFFF) / 32_768 - 1
    }
}
