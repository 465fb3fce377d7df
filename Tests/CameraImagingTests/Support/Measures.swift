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
        var sums = [Int](repeating: 0, count: componentCount)
        let plane = planes[0]
        for row in 0..<height {
            let bytes = plane.base + row * plane.bytesPerRow
            for component in 0..<componentCount {
                for index in stride(from: component, to: plane.shape.rowByteCount, by: componentCount) {
                    sums[component] &+= Int(bytes[index])
                }
            }
        }
        return sums.map { Double($0) / Double(width * height) }
    }

    /// The largest difference of any byte of the first plane from the pattern `pixel`.
    func largestDifference(from pixel: [Double]) -> Double {
        var extremes = [(low: UInt8, high: UInt8)](repeating: (255, 0), count: pixel.count)
        let plane = planes[0]
        for row in 0..<height {
            let bytes = plane.base + row * plane.bytesPerRow
            for component in pixel.indices {
                var (low, high) = extremes[component]
                for index in stride(from: component, to: plane.shape.rowByteCount, by: pixel.count) {
                    low = min(low, bytes[index])
                    high = max(high, bytes[index])
                }
                extremes[component] = (low, high)
            }
        }
        return zip(extremes, pixel).map { max(abs(Double($0.low) - $1), abs(Double($0.high) - $1)) }.max() ?? 0
    }
}

/// The peak signal-to-noise ratio in dB between two planes of bytes.
func psnr(_ first: [[UInt8]], _ second: [[UInt8]]) -> Double {
    var sum = 0
    var count = 0
    for (first, second) in zip(first, second) {
        for index in 0..<min(first.count, second.count) {
            let difference = Int(first[index]) &- Int(second[index])
            sum &+= difference &* difference
        }
        count += min(first.count, second.count)
    }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(count) / Double(sum))
}

extension Colorimetry {
    /// Whether matrix and range are the same.
    func isLike(_ other: Colorimetry) -> Bool { matrix == other.matrix && range == other.range }
}
