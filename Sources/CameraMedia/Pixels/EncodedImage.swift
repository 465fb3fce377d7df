/// A picture as a codec left it: what travels as a frame's payload.
public struct EncodedImage: Sendable {
    /// How the bytes are coded.
    public var codec: ImageCodec
    /// Pixels a row.
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

    /// The picture's size.
    public var size: PixelSize { PixelSize(width: UInt32(width), height: UInt32(height)) }
}
