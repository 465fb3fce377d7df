public import CameraMedia

extension PixelBuffer {
    /// Copies the picture to the caller's memory in a layout of choice, by the picture's own matrix and range.
    ///
    /// As BGRA or RGB it comes out in full range, alpha opaque. As Y'CbCr or gray it keeps the matrix and range that the
    /// picture has (``PixelBuffer/colorimetry``), unless others are asked for; from RGB it gets BT.601 in limited range
    /// then. Blocks for as long as that takes; may be called from any thread.
    ///
    /// - Parameters:
    ///   - memory: Where to write, plane after plane. It must not overlap the picture.
    ///   - bytesPerRow: Bytes from one row of the first plane to the next, what lies between rows stays as it is; `nil`
    ///     for rows without padding. Chroma planes have as much (nv12 rounded up to even), or half of it rounded up
    ///     (i420, i422).
    ///   - pixelFormat: The layout wanted.
    ///   - colorimetry: The matrix and range wanted; `nil` for what is said above. Of no effect for RGB layouts.
    ///   - crop: The part to copy, in pixels of the picture; `nil` for all.
    ///   - size: The size to scale to, without regard to the aspect; `nil` for that of the part.
    /// - Throws: ``ImagingError/bytesPerRowOutOfRange(_:allowed:)``,
    ///   ``ImagingError/memoryTooSmall(byteCount:needed:)``, ``ImagingError/cropOutOfRange(_:picture:)``,
    ///   ``ImagingError/sizeOutOfRange(_:)``, ``ImagingError/outOfBuffers`` if memory is out.
    public func copy(
        to memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int? = nil, as pixelFormat: PixelFormat,
        colorimetry: Colorimetry? = nil, crop: PixelRectangle? = nil, size: PixelSize? = nil
    ) throws(ImagingError) {
        if let crop, !crop.isContained(in: self.size) { throw .cropOutOfRange(crop, picture: self.size) }
        let copied = size ?? crop?.size ?? self.size
        guard copied.width > 0, copied.height > 0, copied.pixelCount <= Limits.pixelCount else {
            throw .sizeOutOfRange(copied)
        }
        let target = try ImagingError.wrapping { () throws(PixelBufferError) in
            try PlaneMemory.planes(pixelFormat, size: copied, bytesPerRow: bytesPerRow, in: memory)
        }
        try PixelConverter().convert(
            self, to: pixelFormat, colorimetry: colorimetry, crop: crop, size: size, into: target)
    }
}
