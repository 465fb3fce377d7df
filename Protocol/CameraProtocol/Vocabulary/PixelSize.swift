/// A size in pixels.
public struct PixelSize: Sendable, Hashable {
    /// Pixels a row.
    public var width: UInt32
    /// Rows.
    public var height: UInt32

    /// Creates a size.
    public init(width: UInt32, height: UInt32) {
        self.width = width
        self.height = height
    }

    /// Reads `640x480`; both sides 1 to 65535.
    public init?(parsing text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = UInt16(sides[0]), let height = UInt16(sides[1]), width > 0, height > 0
        else { return nil }
        self.init(width: UInt32(width), height: UInt32(height))
    }

    /// The number of pixels; cannot overflow.
    public var pixelCount: UInt64 { UInt64(width) * UInt64(height) }

    /// The largest size of the same aspect that fits within `bound`, never larger than this size.
    ///
    /// A size that fits is returned as it is, odd or not; one that is scaled down gets even sides, or 1 where even
    /// would be 0.
    public func fitted(within bound: PixelSize) -> PixelSize {
        guard width > bound.width || height > bound.height, width > 0, height > 0 else { return self }
        let byWidth = UInt64(bound.width) * UInt64(height) <= UInt64(bound.height) * UInt64(width)
        let scaled: (width: UInt64, height: UInt64) =
            byWidth
            ? (UInt64(bound.width), UInt64(bound.width) * UInt64(height) / UInt64(width))
            : (UInt64(bound.height) * UInt64(width) / UInt64(height), UInt64(bound.height))
        return PixelSize(
            width: UInt32(max(1, scaled.width & ~1)), height: UInt32(max(1, scaled.height & ~1)))
    }
}

extension PixelSize: CustomStringConvertible {
    /// `640x480`.
    public var description: String { "\(width)x\(height)" }
}

/// A rectangle in pixels, its origin at the top left.
public struct PixelRectangle: Sendable, Hashable {
    /// The left edge.
    public var x: UInt32
    /// The top edge.
    public var y: UInt32
    /// The size.
    public var size: PixelSize

    /// Creates a rectangle.
    public init(x: UInt32, y: UInt32, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// Whether the rectangle is not empty and lies within a picture of `picture`'s size.
    public func isContained(in picture: PixelSize) -> Bool {
        size.width > 0 && size.height > 0
            && UInt64(x) + UInt64(size.width) <= UInt64(picture.width)
            && UInt64(y) + UInt64(size.height) <= UInt64(picture.height)
    }
}
