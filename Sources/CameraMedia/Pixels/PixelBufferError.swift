/// Why a pixel buffer could not be made or copied.
public enum PixelBufferError: Error, Sendable, Hashable {
    /// The size is empty or above ``Limits/pixelCount``.
    case size(width: Int, height: Int)
    /// All buffers of the pool are in use, or memory is out.
    case outOfBuffers
    /// The bytes from one row to the next are fewer than a row has, or more than can be handled.
    case bytesPerRowOutOfRange(Int, allowed: ClosedRange<Int>)
    /// The caller's memory has fewer bytes than the picture takes at that many bytes per row.
    case memoryTooSmall(byteCount: Int, needed: Int)
}

extension PixelBufferError: CustomStringConvertible {
    /// For a person.
    public var description: String {
        switch self {
        case .size(let width, let height):
            "a picture of \(width)x\(height) pixels is not possible (at least 1x1, at most \(Limits.pixelCount) pixels)"
        case .outOfBuffers: "all buffers are in use"
        case .bytesPerRowOutOfRange(let bytesPerRow, let allowed):
            "\(bytesPerRow) bytes per row are not possible (at least \(allowed.lowerBound), at most \(allowed.upperBound))"
        case .memoryTooSmall(let byteCount, let needed):
            "\(byteCount) bytes of memory are too few for the picture, which takes \(needed)"
        }
    }
}
