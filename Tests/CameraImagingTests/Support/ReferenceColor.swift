import CameraMedia

/// Colour conversion in floating point, straight from the recommendations.
struct ReferenceColor {
    let colorimetry: Colorimetry

    private var weights: (red: Double, blue: Double) {
        switch colorimetry.matrix {
        case .bt601, .identity: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        }
    }

    private var scales: (luma: Double, chroma: Double, black: Double) {
        colorimetry.range == .full ? (255, 255, 0) : (219, 224, 16)
    }

    /// Y', Cb, Cr in 8 bits of R'G'B' from 0 to 1.
    func components(of color: SIMD3<Double>) -> SIMD3<Double> {
        let (red, blue) = weights
        let luma = red * color.x + (1 - red - blue) * color.y + blue * color.z
        let blueDifference = (color.z - luma) / (2 * (1 - blue))
        let redDifference = (color.x - luma) / (2 * (1 - red))
        return SIMD3(
            scales.black + scales.luma * luma, 128 + scales.chroma * blueDifference,
            128 + scales.chroma * redDifference)
    }

    /// A picture of one colour, each component rounded.
    func picture(
        _ color: SIMD3<Double>, width: Int, height: Int, _ pixelFormat: PixelFormat, padding: Int = 0
    ) throws -> PixelBuffer {
        let values = components(of: color).rounded(.toNearestOrEven)
        let (y, u, v) = (UInt8(values.x), UInt8(values.y), UInt8(values.z))
        let rgb = (color * 255).rounded(.toNearestOrEven)
        let (red, green, blue) = (UInt8(rgb.x), UInt8(rgb.y), UInt8(rgb.z))
        let patterns: [[UInt8]] =
            switch pixelFormat {
            case .bgra32: [[blue, green, red, 255]]
            case .rgb24: [[red, green, blue]]
            case .bgr24: [[blue, green, red]]
            case .gray8: [[y]]
            case .i420, .i422, .i444: [[y], [u], [v]]
            case .nv12: [[y], [u, v]]
            case .yuyv: [[y, u, y, v]]
            case .uyvy: [[u, y, v, y]]
            }
        return try TestPicture.padded(
            width: width, height: height, pixelFormat, pixelFormat.isRGB ? .rgb : colorimetry, padding: padding
        ) { planes in
            for (plane, pattern) in zip(planes, patterns) {
                for row in 0..<plane.rowCount {
                    for byte in 0..<plane.shape.rowByteCount {
                        plane.base[row * plane.bytesPerRow + byte] = pattern[byte % pattern.count]
                    }
                }
            }
        }
    }
}

/// Every matrix in every range.
let allColorimetries: [Colorimetry] = [ColorMatrix.bt601, .bt709, .bt2020].flatMap { matrix in
    ColorRange.allCases.map { Colorimetry(matrix: matrix, range: $0) }
}

/// The eight colours of the bars at 75 %, which all matrices can express in all ranges, and two grays.
let barColors: [SIMD3<Double>] =
    (0..<8).map { SIMD3(Double($0 >> 2 & 1), Double($0 >> 1 & 1), Double($0 & 1)) * 0.75 }
    + [SIMD3(repeating: 0.5), SIMD3(repeating: 1)]
