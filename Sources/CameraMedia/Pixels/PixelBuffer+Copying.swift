extension PixelBuffer {
    /// Copies all planes to the caller's memory, one after the other, in the layout that the picture has.
    ///
    /// - Parameters:
    ///   - memory: Where to write. It must not overlap the picture.
    ///   - bytesPerRow: Bytes from one row of the first plane to the next, what lies between rows stays as it is; `nil`
    ///     for rows without padding. Chroma planes have as much (nv12 rounded up to even), or half of it rounded up
    ///     (i420, i422).
    /// - Throws: ``PixelBufferError/bytesPerRowOutOfRange(_:allowed:)``,
    ///   ``PixelBufferError/memoryTooSmall(byteCount:needed:)``; nothing is written then.
    public func copy(
        to memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int? = nil
    ) throws(PixelBufferError) {
        copy(to: try PlaneMemory.planes(pixelFormat, size: size, bytesPerRow: bytesPerRow, in: memory))
    }

    /// Copies one plane to the caller's memory.
    ///
    /// - Parameters:
    ///   - plane: The plane, 0 for the first.
    ///   - memory: Where to write. It must not overlap the picture.
    ///   - bytesPerRow: Bytes from one row to the next, what lies between rows stays as it is; `nil` for rows without
    ///     padding.
    /// - Throws: ``PixelBufferError/bytesPerRowOutOfRange(_:allowed:)``,
    ///   ``PixelBufferError/memoryTooSmall(byteCount:needed:)``; nothing is written then.
    /// - Precondition: `plane` is below ``planeCount``.
    public func copyPlane(
        _ plane: Int, to memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int? = nil
    ) throws(PixelBufferError) {
        let source = planes[plane]
        // One plane of bytes is laid out as a gray picture is.
        let size = PixelSize(width: UInt32(source.shape.rowByteCount), height: UInt32(source.rowCount))
        let target = try PlaneMemory.planes(.gray8, size: size, bytesPerRow: bytesPerRow, in: memory)
        target[0].copyRows(of: source)
    }

    /// Copies all planes to planes of the same shapes.
    package func copy(to target: [PlaneMemory]) {
        for (source, target) in zip(planes, target) { target.copyRows(of: source) }
    }

    /// All planes one after the other, rows without padding: the payload of a raw frame.
    public func packedBytes() -> [UInt8] {
        let byteCount = pixelFormat.byteCount(width: width, height: height)
        return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
            if let base = bytes.baseAddress { copyPacked(to: base) }
            count = byteCount
        }
    }

    /// Writes all planes one after the other, rows without padding, to memory of at least
    /// `pixelFormat.byteCount(width:height:)` bytes.
    package func copyPacked(to destination: UnsafeMutablePointer<UInt8>) {
        copy(to: PlaneMemory.packed(pixelFormat, width: width, height: height, at: destination))
    }

    /// Whether the planes follow one another without any padding, as a raw frame's payload does.
    package var isPacked: Bool {
        var expected = planes[0].base
        for plane in planes {
            guard plane.base == expected, plane.bytesPerRow == plane.shape.rowByteCount else { return false }
            expected += plane.shape.byteCount
        }
        return true
    }
}

extension PixelBuffer {
    /// Copies a picture out of a program's own memory, planes one after the other.
    ///
    /// - Parameters:
    ///   - bytes: The picture, row by row.
    ///   - bytesPerRow: Bytes from one row of the first plane to the next, as for ``copy(to:bytesPerRow:)``; `nil` for
    ///     rows without padding.
    ///   - width: Pixels a row, at least 1.
    ///   - height: Rows, at least 1; at most ``Limits/pixelCount`` pixels in all.
    ///   - pixelFormat: The layout.
    ///   - colorimetry: How components map to light; `nil` for ``Colorimetry/rgb`` in an RGB layout, else BT.601 in
    ///     limited range.
    ///   - pool: Where the copy's memory comes from; `nil` for memory of its own. A program that makes picture after
    ///     picture keeps a pool.
    /// - Throws: ``PixelBufferError`` if the size or the bytes per row are out of range, `bytes` are too few, or the pool
    ///   has no block left.
    public convenience init(
        copying bytes: Span<UInt8>, bytesPerRow: Int? = nil, width: Int, height: Int, pixelFormat: PixelFormat,
        colorimetry: Colorimetry? = nil, pool: MemoryPool? = nil
    ) throws(PixelBufferError) {
        let (block, target) = try Self.allocate(
            width: width, height: height, pixelFormat: pixelFormat, pool: pool ?? MemoryPool(limit: 1))
        let size = PixelSize(width: UInt32(width), height: UInt32(height))
        try bytes.withUnsafeBufferPointer { (bytes) throws(PixelBufferError) in
            // Only read through.
            let memory = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(bytes))
            let source = try PlaneMemory.planes(pixelFormat, size: size, bytesPerRow: bytesPerRow, in: memory)
            for (source, target) in zip(source, target) { target.copyRows(of: source) }
        }
        self.init(
            width: width, height: height, pixelFormat: pixelFormat,
            colorimetry: colorimetry ?? pixelFormat.usualColorimetry, planes: target, owner: block)
    }
}

extension PixelFormat {
    /// What pictures of the layout are taken to be unless somebody says otherwise.
    var usualColorimetry: Colorimetry { isRGB ? .rgb : .webp }
}
