import CameraMedia

/// From BGRA to Y'CbCr with a chroma sample a pixel, or to luma alone, by any matrix and range; exact to rounding.
///
/// For what libyuv lacks: BT.709 and BT.2020, and BT.601 full range without subsampling.
struct MatrixConversion {
    /// Weights of blue, green, red and a bias, in 1/65536.
    private typealias Weights = SIMD4<Int32>

    private let luma: Weights
    private let blueDifference: Weights
    private let redDifference: Weights

    /// Prepares a conversion.
    init(_ colorimetry: Colorimetry) {
        let (red, blue) =
            switch colorimetry.matrix {
            case .bt601, .identity: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let green = 1 - red - blue
        let isFull = colorimetry.range == .full
        let lumaScale = isFull ? 1.0 : 219.0 / 255
        let chromaScale = isFull ? 1.0 : 224.0 / 255
        func weights(_ blue: Double, _ green: Double, _ red: Double, scale: Double, zero: Double) -> Weights {
            let values = SIMD4(blue * scale, green * scale, red * scale, zero + 0.5) * 65_536
            var weights = Weights(values.rounded(.toNearestOrAwayFromZero))
            // Whatever rounding does to the sum, gray stays gray.
            weights.y = Int32(((blue + green + red) * scale * 65_536).rounded()) - weights.x - weights.z
            return weights
        }
        luma = weights(blue, green, red, scale: lumaScale, zero: isFull ? 0 : 16)
        let blueScale = chromaScale / (2 * (1 - blue))
        blueDifference = weights(1 - blue, -green, -red, scale: blueScale, zero: 128)
        let redScale = chromaScale / (2 * (1 - red))
        redDifference = weights(-blue, -green, 1 - red, scale: redScale, zero: 128)
    }

    /// Converts a BGRA picture to i444 or gray8 planes.
    func convert(_ picture: PixelBuffer, into target: [PlaneMemory]) {
        let source = picture.planes[0]
        for (plane, weights) in zip(target, [luma, blueDifference, redDifference]) {
            for row in 0..<picture.height {
                convertRow(
                    source.source + row * source.bytesPerRow, into: plane.base + row * plane.bytesPerRow,
                    count: picture.width, weights)
            }
        }
    }

    private func convertRow(
        _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int, _ weights: Weights
    ) {
        let (blue, green, red, bias) = (weights.x, weights.y, weights.z, weights.w)
        for x in 0..<count {
            let pixel = source + 4 * x
            let sum =
                Int32(pixel[0]) &* blue &+ Int32(pixel[1]) &* green &+ Int32(pixel[2]) &* red &+ bias
            target[x] = UInt8(truncatingIfNeeded: min(max(sum &>> 16, 0), 255))
        }
    }
}
