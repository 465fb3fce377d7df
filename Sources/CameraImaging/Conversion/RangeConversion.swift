import CameraMedia

/// Between limited (16 to 235, chroma to 240) and full range (0 to 255), each plane for itself.
///
/// All maps are `(x * factor + bias) >> 8` in 16 bits without overflow, exact to rounding, which
/// the compiler turns into vector instructions: nothing in it can trap, and no lane is wider than it must be.
enum RangeConversion {
    /// Converts every plane of a planar or RGB picture to `range`, which is not the one it has.
    static func convert(_ picture: PixelBuffer, to range: ColorRange, into target: [PlaneMemory]) {
        for (index, (source, target)) in zip(picture.planes, target).enumerated() {
            let map = Map(isChroma: index > 0, range: range)
            for row in 0..<target.rowCount {
                convertRow(
                    source.source + row * source.bytesPerRow, into: target.base + row * target.bytesPerRow,
                    count: target.shape.rowByteCount, map)
            }
        }
    }

    /// `y = ((min(max(x, low), high) - low) * factor + bias) >> 8`.
    struct Map {
        let low: UInt8
        let high: UInt8
        let factor: UInt16
        let bias: UInt16

        init(isChroma: Bool, range: ColorRange) {
            switch (isChroma, range) {
            case (false, .full): (low, high, factor, bias) = (16, 235, 298, 128)  // * 255 / 219
            case (true, .full): (low, high, factor, bias) = (16, 240, 291, 304)  // * 255 / 224 around 128
            case (false, .limited): (low, high, factor, bias) = (0, 255, 220, 16 * 256 + 110)  // * 219 / 255
            case (true, .limited): (low, high, factor, bias) = (0, 255, 225, 16 * 256)  // * 224 / 255 around 128
            }
        }

        func callAsFunction(_ value: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: (UInt16(min(max(value, low), high) &- low) &* factor &+ bias) &>> 8)
        }
    }

    private static func convertRow(
        _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int, _ map: Map
    ) {
        for offset in 0..<count { target[offset] = map(source[offset]) }
    }
}
