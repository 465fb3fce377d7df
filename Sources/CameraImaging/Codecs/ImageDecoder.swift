package import CameraMedia

/// Makes pictures of WebP, JPEG and raw images.
///
/// One per thread: it keeps the codecs' handles and scratch memory from picture to picture.
package final class ImageDecoder {
    /// Whether a JPEG image that is cut short or damaged in part is decoded as far as it goes instead of refused.
    package var allowsTruncation = false

    private let pool: MemoryPool
    private let scratch = MemoryPool(limit: 2)
    private let converter = PixelConverter()
    private let jpeg = JPEGDecoder()

    /// Creates a decoder.
    ///
    /// - Parameter pool: Where the pictures' memory comes from. It may be shared; scratch memory is the decoder's own.
    package init(pool: MemoryPool) {
        self.pool = pool
    }

    /// Decodes an image to a layout.
    ///
    /// RGB is made with the matrix and range that the codec prescribes, or that a raw image says. Y'CbCr keeps them.
    ///
    /// - Throws: If the image is damaged, cut short, of another size than it says, or the pool has no block left.
    package func decode(
        _ image: EncodedImage, to pixelFormat: PixelFormat = .bgra32
    ) throws(ImagingError) -> PixelBuffer {
        switch image.codec {
        case .webp where pixelFormat.isRGB:
            return try WebPDecoder.decode(image, to: pixelFormat, pool: pool)
        case .jpeg where pixelFormat.isRGB:
            return try jpeg.decode(image, to: pixelFormat, pool: pool, allowsTruncation: allowsTruncation)
        case .webp, .jpeg, .raw:
            let picture = try decodeNative(image) { $0 == pixelFormat ? pool : scratch }
            return try converter.convert(picture, to: pixelFormat, pool: pool)
        }
    }

    /// Decodes an image to the layout that it was coded in.
    ///
    /// WebP gives i420 in BT.601 limited range. JPEG gives i420, i422, i444 or gray8 by its subsampling, in BT.601 full
    /// range (i420 for subsamplings that have no layout). A raw image is its own memory.
    ///
    /// - Throws: If the image is damaged, cut short, of another size than it says, or the pool has no block left.
    package func decodeNative(_ image: EncodedImage) throws(ImagingError) -> PixelBuffer {
        try decodeNative(image) { _ in pool }
    }

    /// Decodes an image that is to be scaled down, to the layout that it was coded in.
    ///
    /// JPEG is decoded at a half, a quarter or an eighth of its size if that is still large enough, each for less work
    /// than the one before. Other codecs give the whole size.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - size: The size in pixels that the picture is to be scaled to; it comes out as large or larger, unless the
    ///     image itself is smaller.
    /// - Throws: As ``decodeNative(_:)``.
    package func decodeNative(_ image: EncodedImage, forSize size: PixelSize) throws(ImagingError) -> PixelBuffer {
        try decodeNative(image, at: JPEGScale(of: image.size, for: size)) { _ in pool }
    }

    private func decodeNative(
        _ image: EncodedImage, at scale: JPEGScale = .full, poolFor: (PixelFormat) -> MemoryPool
    ) throws(ImagingError) -> PixelBuffer {
        switch image.codec {
        case .raw: return try image.rawPicture()
        case .webp: return try WebPDecoder.decode(image, to: .i420, pool: poolFor(.i420))
        case .jpeg:
            if let picture = try jpeg.decodePlanes(
                image, at: scale, poolFor: poolFor, allowsTruncation: allowsTruncation)
            {
                return picture
            }
            let picture = try jpeg.decode(
                image, at: scale, to: .bgra32, pool: scratch, allowsTruncation: allowsTruncation)
            return try converter.convert(picture, to: .i420, colorimetry: .jpeg, pool: poolFor(.i420))
        }
    }
}

@available(*, unavailable)
extension ImageDecoder: Sendable {}

extension EncodedImage {
    /// Checks the announced size before anything is allocated for it.
    func checkDeclaredSize() throws(ImagingError) {
        guard width > 0, height > 0, width <= Limits.pixelCount / height else {
            throw .sizeOutOfRange(PixelSize(width, height))
        }
    }

    /// Checks the size in the data's own header against the announced one.
    func checkActualSize(width actualWidth: Int, height actualHeight: Int) throws(ImagingError) {
        guard actualWidth == width, actualHeight == height else {
            throw .sizeMismatch(declared: PixelSize(width, height), actual: PixelSize(actualWidth, actualHeight))
        }
    }

    /// A raw image as a picture, on the same memory.
    fileprivate func rawPicture() throws(ImagingError) -> PixelBuffer {
        try checkDeclaredSize()
        guard let pixelFormat else { throw .corrupt(format: "raw", reason: "it has no layout") }
        let byteCount = pixelFormat.byteCount(width: width, height: height)
        guard data.count >= byteCount else { throw .truncated(format: "raw") }
        guard data.count == byteCount else {
            throw .corrupt(format: "raw", reason: "\(data.count) bytes instead of \(byteCount)")
        }
        let planes = data.withUnsafeBytes { bytes in
            bytes.baseAddress.map { base in
                // Nobody writes through a finished pixel buffer's planes.
                PlaneMemory.packed(
                    pixelFormat, width: width, height: height,
                    at: UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self)))
            }
        }
        guard let planes else { throw .truncated(format: "raw") }
        return PixelBuffer(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry, planes: planes,
            owner: data)
    }
}
