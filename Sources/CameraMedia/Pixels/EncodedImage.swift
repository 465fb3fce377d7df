/// A picture as a codec left it: what travels as a frame's payload.
///
/// A value; its bytes are shared by reference and never change.
public struct EncodedImage: Sendable {
    /// How the bytes are coded.
    public var codec: ImageCodec
    /// Pixels a row; what the data says itself is checked when it is decoded.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The layout; for ``ImageCodec/raw`` only.
    public var pixelFormat: PixelFormat?
    /// How the coded components map to light.
    public var colorimetry: Colorimetry
    /// The coded bytes: a whole WebP or JPEG file, or packed pixels.
    public var data: SharedBytes

    /// Creates an encoded image.
    ///
    /// - Parameters:
    ///   - codec: How the bytes are coded.
    ///   - width: Pixels a row.
    ///   - height: Rows.
    ///   - pixelFormat: The layout of a raw image; `nil` for any other.
    ///   - colorimetry: How the coded components map to light.
    ///   - data: A whole WebP or JPEG file, or packed pixels. Nothing is checked here.
    public init(
        codec: ImageCodec, width: Int, height: Int, pixelFormat: PixelFormat? = nil, colorimetry: Colorimetry,
        data: SharedBytes
    ) {
        self.codec = codec
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.colorimetry = colorimetry
        self.data = data
    }

    /// The picture's size in pixels.
    public var size: PixelSize { PixelSize(width: UInt32(width), height: UInt32(height)) }
}
