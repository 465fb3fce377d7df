public import CameraMedia

/// A picture that owns its pixels: 8 bits of blue, green, red and alpha, in this order in memory, premultiplied.
///
/// That is AVFoundation's bitmap with 8 bits per component, 32 bits little-endian, alpha premultiplied first. Images of
/// cameras are opaque. Holds no buffer of a camera or a pool, so that it may be kept for as long as one likes. Never
/// changes; may be used from any thread.
public struct Image: Sendable {
    /// The pixels, in ``PixelFormat/bgra32``.
    public let pixelBuffer: PixelBuffer
    /// Whether alpha is 255 everywhere.
    public let isOpaque: Bool
    /// When the picture was taken, which goes into the files that are made of it; `nil` if that is not known, or not to
    /// be told.
    public var captureTime: CaptureTime?

    /// An image of pixels that nobody else has.
    private init(pixels: PixelBuffer, isOpaque: Bool, captureTime: CaptureTime?) {
        pixelBuffer = pixels
        self.isOpaque = isOpaque
        self.captureTime = captureTime
    }

    /// Converts, decodes or copies a frame's picture; the frame's capture time goes with it.
    ///
    /// Blocks for as long as that takes, 7 ms or so for 1280x720 in WebP.
    ///
    /// - Parameter sampleBuffer: The frame, of any layout or codec.
    /// - Throws: If the frame holds an image that is damaged, or memory is out.
    public init(_ sampleBuffer: SampleBuffer) throws(ImagingError) {
        switch sampleBuffer.content {
        case .pixels(let buffer): try self.init(buffer)
        case .encoded(let image): try self.init(image)
        }
        captureTime = sampleBuffer.captureTime
    }

    /// Converts or copies a picture; its matrix and range are honoured, its alpha is not.
    ///
    /// - Parameter pixelBuffer: The picture, of any layout.
    /// - Throws: If memory is out.
    public init(_ pixelBuffer: PixelBuffer) throws(ImagingError) {
        let converted = try PixelConverter().convert(pixelBuffer, to: .bgra32, pool: MemoryPool(limit: 1))
        // Any other layout was converted to opaque pixels of our own.
        let isOwn = pixelBuffer.pixelFormat != .bgra32
        self.init(pixels: isOwn ? converted : try converted.opaqueCopy(), isOpaque: true, captureTime: nil)
    }

    /// Decodes an image, transparent parts on black.
    ///
    /// - Throws: If it is damaged, or memory is out.
    package init(_ image: EncodedImage) throws(ImagingError) {
        let picture = try ImageDecoder(pool: MemoryPool(limit: 1)).decode(image)
        let isOwn = image.codec != .raw || image.pixelFormat != .bgra32
        self.init(pixels: isOwn ? picture : try picture.opaqueCopy(), isOpaque: true, captureTime: nil)
    }

    /// Decodes a whole WebP, JPEG or PNG file; which one it is, its first bytes say.
    ///
    /// Alpha is kept, premultiplied. What else the file tells, a capture time for instance, is not read.
    ///
    /// - Parameter data: The file's bytes.
    /// - Throws: If it is none of these, damaged, or has more than ``Limits/pixelCount`` pixels.
    public init(data: [UInt8]) throws(ImagingError) {
        let picture: PixelBuffer
        switch ImageFileFormat(signature: data) {
        case .png:
            let decoded = try PNG.decode(data)
            picture = try PixelConverter().convert(decoded, to: .bgra32, pool: MemoryPool(limit: 1))
        case .jpeg, .webp:
            let image = try EncodedImage(file: SharedBytes(copying: data))
            let pool = MemoryPool(limit: 1)
            picture =
                image.codec == .webp
                ? try WebPDecoder.decode(image, to: .bgra32, pool: pool, keepsAlpha: true)
                : try ImageDecoder(pool: pool).decode(image)
        case nil: throw .unsupported("a file that is neither WebP nor JPEG nor PNG")
        }
        self.init(pixels: picture, isOpaque: AlphaChannel.isOpaque(picture.planes[0]), captureTime: nil)
    }

    /// Reads a whole WebP, JPEG or PNG file.
    ///
    /// - Parameter path: The file, of at most ``Limits/frameByteCount`` bytes.
    /// - Throws: If it cannot be read, is none of these, or is damaged.
    public init(contentsOf path: String) throws(ImagingError) {
        try self.init(data: WholeFile.read(path, limit: Limits.frameByteCount))
    }
}

extension Image {
    /// Pixels a row.
    public var width: Int { pixelBuffer.width }

    /// Rows.
    public var height: Int { pixelBuffer.height }

    /// The size in pixels.
    public var size: PixelSize { pixelBuffer.size }

    /// Bytes from one row to the next: four times ``width``.
    public var bytesPerRow: Int { pixelBuffer.bytesPerRow }

    /// The pixels; no copy is made.
    ///
    /// Blue, green, red and alpha of the pixel at (`x`, `y`) are the four bytes from `y * bytesPerRow + 4 * x` on;
    /// `bytesPerRow * height` bytes in all. The span lives no longer than the image, which the compiler checks.
    public var pixels: Span<UInt8> {
        @_lifetime(borrow self) get { _overrideLifetime(pixelBuffer.bytes(), borrowing: self) }
    }

    /// The image scaled to a size, without regard to the aspect: an average of areas on the way down, bilinear on the
    /// way up.
    ///
    /// - Parameter size: The size in pixels; ``PixelSize/fitted(within:)`` of ``size`` keeps the aspect.
    /// - Throws: If the size is empty or too large, or memory is out.
    public func resized(to size: PixelSize) throws(ImagingError) -> Image {
        if size == self.size { return self }
        let pixels =
            isOpaque
            ? try PixelConverter().convert(pixelBuffer, to: .bgra32, size: size, pool: MemoryPool(limit: 1))
            : try AlphaChannel.scale(pixelBuffer, to: size)
        return Image(pixels: pixels, isOpaque: isOpaque, captureTime: captureTime)
    }

    /// A part of the image, copied.
    ///
    /// - Parameter rectangle: The part, in pixels from the top left.
    /// - Throws: If it is empty or does not lie within the image, or memory is out.
    public func cropped(to rectangle: PixelRectangle) throws(ImagingError) -> Image {
        guard rectangle.isContained(in: size) else { throw .cropOutOfRange(rectangle, picture: size) }
        let part = try AlphaChannel.copy(of: pixelBuffer.view(of: rectangle)) { _ in }
        return Image(
            pixels: part, isOpaque: isOpaque || AlphaChannel.isOpaque(part.planes[0]), captureTime: captureTime)
    }

    /// The image on black.
    package func opaque() throws(ImagingError) -> Image {
        isOpaque ? self : Image(pixels: try pixelBuffer.opaqueCopy(), isOpaque: true, captureTime: captureTime)
    }
}

extension PixelBuffer {
    /// A copy of a BGRA picture in memory of its own, its alpha opaque.
    fileprivate func opaqueCopy() throws(ImagingError) -> PixelBuffer {
        try AlphaChannel.copy(of: self) { AlphaChannel.makeOpaque($0) }
    }
}
