import CameraMedia
import Foundation

extension PixelBuffer {
    /// The rows of a plane, without padding.
    func rows(ofPlane index: Int = 0) -> [[UInt8]] {
        let plane = planes[index]
        return (0..<plane.rowCount).map { row in
            Array(UnsafeBufferPointer(start: plane.base + row * plane.bytesPerRow, count: plane.shape.rowByteCount))
        }
    }

    /// The mean of each component of a picture whose pixels take `componentCount` bytes in the first plane.
    func means(componentCount: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: componentCount)
        for row in rows() {
            for (index, byte) in row.enumerated() { sums[index % componentCount] += Double(byte) }
        }
        return sums.map { $0 / Double(width * height) }
    }

    /// The largest difference of any byte of the first plane from the pattern `pixel`.
    func largestDifference(from pixel: [Double]) -> Double {
        rows().joined().enumerated().reduce(0) { largest, byte in
            max(largest, abs(Double(byte.element) - pixel[byte.offset % pixel.count]))
        }
    }
}

/// The peak signal-to-noise ratio in dB between two planes of bytes.
func psnr(_ first: [[UInt8]], _ second: [[UInt8]]) -> Double {
    var sum = 0.0
    var count = 0.0
    for (first, second) in zip(first, second) {
        for (first, second) in zip(first, second) {
            sum += (Double(first) - Double(second)) * (Double(first) - Double(second))
            count += 1
        }
    }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 * count / sum)
}

extension Colorimetry {
    /// Whether matrix and range are the same.
    func isLike(_ other: Colorimetry) -> Bool { matrix == other.matrix && range == other.range }
}
