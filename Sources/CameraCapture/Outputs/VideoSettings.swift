public import CameraProtocol

/// The pixels that a video data output hands out.
public struct VideoSettings: Sendable, Hashable {
    /// The layout; `nil`: the input's own, or the one its images decode to.
    public var pixelFormat: PixelFormat?
    /// The width in pixels; `nil`: the input's, or what keeps the aspect for the height.
    public var width: Int?
    /// The height in pixels; `nil`: the input's, or what keeps the aspect for the width.
    public var height: Int?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - pixelFormat: The layout; 32BGRA unless said otherwise.
    ///   - width: The width in pixels, at least 1; `nil`: the input's, or what keeps the aspect for the height.
    ///   - height: The height in pixels, at least 1; `nil`: the input's, or what keeps the aspect for the width.
    public init(pixelFormat: PixelFormat? = .bgra32, width: Int? = nil, height: Int? = nil) {
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
    }

    /// The size that a picture is scaled to; `nil`: none other.
    func size(for source: PixelSize) -> PixelSize? {
        let target: PixelSize
        switch (width, height) {
        case (nil, nil): return nil
        case (let width?, let height?):
            target = PixelSize(width: UInt32(clamping: width), height: UInt32(clamping: height))
        case (let width?, nil):
            target = PixelSize(
                width: UInt32(clamping: width),
                height: Self.scaled(source.height, by: UInt32(clamping: width), over: source.width))
        case (nil, let height?):
            target = PixelSize(
                width: Self.scaled(source.width, by: UInt32(clamping: height), over: source.height),
                height: UInt32(clamping: height))
        }
        return target == source ? nil : target
    }

    private static func scaled(_ side: UInt32, by numerator: UInt32, over denominator: UInt32) -> UInt32 {
        max(
            1,
            UInt32(clamping: (UInt64(side) * UInt64(numerator) + UInt64(denominator) / 2) / UInt64(max(denominator, 1)))
        )
    }
}
