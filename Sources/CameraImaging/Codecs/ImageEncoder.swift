package import CameraMedia

/// Makes WebP, JPEG and raw images of pictures.
///
/// One per thread: it keeps the codecs' handles and scratch memory from picture to picture.
package final class ImageEncoder {
    private let pool: MemoryPool
    private let scratch = MemoryPool(limit: 2)
    private let converter = PixelConverter()
    private let webp = WebPEncoder()
    private let jpeg = JPEGEncoder()

    /// Creates an encoder.
    ///
    /// - Parameter pool: Where the images' memory comes from. It may be shared; scratch memory is the encoder's own.
    package init(pool: MemoryPool) {
        self.pool = pool
    }

    /// Encodes a picture.
    ///
    /// What the codec takes is encoded from its planes as they are; anything else goes through one conversion.
    ///
    /// - Parameters:
    ///   - buffer: The picture; any layout, matrix and range.
    ///   - codec: WebP (method 0, read as BT.601 limited range), JPEG (read as BT.601 full range) or raw.
    ///   - quality: 0 to 100 on the codec's own scale; JPEG takes 0 as 1.
    ///   - crop: The part to keep, in pixels of `buffer`; `nil` for all.
    ///   - size: The size to scale to; `nil` for none.
    ///   - pixelFormat: The layout of a raw image; `nil` for the picture's own.
    /// - Returns: The image. A raw one shares the picture's memory where no conversion was needed and it has no padding.
    /// - Throws: If a size is out of the codec's range, the pool has no block left, or the library refuses.
    package func encode(
        _ buffer: PixelBuffer, as codec: ImageCodec, quality: Int, crop: PixelRectangle? = nil,
        size: PixelSize? = nil, pixelFormat: PixelFormat? = nil
    ) throws(ImagingError) -> EncodedImage {
        let encodedSize = size ?? crop?.size ?? buffer.size
        guard max(encodedSize.width, encodedSize.height) <= UInt32(clamping: codec.maximumSide) else {
            throw .sizeOutOfRange(encodedSize)
        }
        switch codec {
        case .raw:
            let picture = try converter.convert(
                buffer, to: pixelFormat ?? buffer.pixelFormat, crop: crop, size: size, pool: pool)
            return try picture.rawImage(pool: pool)
        case .webp:
            let picture = try converter.convert(
                buffer, to: .i420, colorimetry: .webp, crop: crop, size: size, pool: scratch)
            let data = try webp.encode(picture, quality: quality, pool: pool)
            return EncodedImage(
                codec: .webp, width: picture.width, height: picture.height, colorimetry: picture.colorimetry, data: data
            )
        case .jpeg:
            let picture = try converter.convert(
                buffer, to: JPEGEncoder.pixelFormat(for: buffer.pixelFormat), colorimetry: .jpeg, crop: crop,
                size: size, pool: scratch)
            let data = try jpeg.encode(picture, quality: quality, pool: pool)
            return EncodedImage(
                codec: .jpeg, width: picture.width, height: picture.height,
                colorimetry: Colorimetry.jpeg.carryingTransfer(of: picture.colorimetry), data: data)
        }
    }
}

@available(*, unavailable)
extension ImageEncoder: Sendable {}

extension PixelBuffer {
    /// The picture as a raw image: on its own memory if that has no padding, else copied to a block of `pool`.
    fileprivate func rawImage(pool: MemoryPool) throws(ImagingError) -> EncodedImage {
        let byteCount = pixelFormat.byteCount(width: width, height: height)
        let data: SharedBytes
        if isPacked {
            data = SharedBytes(base: UnsafeRawPointer(planes[0].base), count: byteCount, owner: self)
        } else {
            guard let block = pool.makeBlock(byteCount: byteCount) else { throw .outOfBuffers }
            copyPacked(to: block.base.assumingMemoryBound(to: UInt8.self))
            data = SharedBytes(block: block, count: byteCount)
        }
        return EncodedImage(
            codec: .raw, width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry, data: data)
    }
}
