import CameraMedia

extension PixelBuffer {
    /// A part of the picture, on the same memory.
    ///
    /// - Precondition: The part lies within the picture and begins at multiples of the chroma subsampling.
    func view(of crop: PixelRectangle) -> PixelBuffer {
        let planes = planes.enumerated().map { index, plane in
            let offset = pixelFormat.offset(ofPlane: index, x: Int(crop.x), y: Int(crop.y))
            return PlaneMemory(
                base: plane.base + offset.rows * plane.bytesPerRow + offset.bytes, bytesPerRow: plane.bytesPerRow,
                shape: pixelFormat.plane(index, width: Int(crop.size.width), height: Int(crop.size.height)))
        }
        return PixelBuffer(
            width: Int(crop.size.width), height: Int(crop.size.height), pixelFormat: pixelFormat,
            colorimetry: colorimetry, planes: planes, owner: self)
    }

    /// The same pixels with another meaning, on the same memory.
    func view(labelled colorimetry: Colorimetry) -> PixelBuffer {
        PixelBuffer(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry, planes: planes,
            owner: self)
    }

    /// A picture in a block of a pool, filled by `fill`.
    static func make(
        size: PixelSize, pixelFormat: PixelFormat, colorimetry: Colorimetry, pool: MemoryPool,
        fill: ([PlaneMemory]) throws(ImagingError) -> Void
    ) throws(ImagingError) -> PixelBuffer {
        let (block, planes) = try ImagingError.wrapping { () throws(PixelBufferError) in
            try PixelBuffer.allocate(
                width: Int(size.width), height: Int(size.height), pixelFormat: pixelFormat, pool: pool)
        }
        try fill(planes)
        return PixelBuffer(
            width: Int(size.width), height: Int(size.height), pixelFormat: pixelFormat, colorimetry: colorimetry,
            planes: planes, owner: block)
    }
}

extension PixelSize {
    /// The size of `width` x `height`; both are at least 0.
    init(_ width: Int, _ height: Int) {
        self.init(width: UInt32(clamping: width), height: UInt32(clamping: height))
    }
}

extension PlaneMemory {
    /// The same, read only.
    var source: UnsafePointer<UInt8> { UnsafePointer(base) }
    /// ``bytesPerRow`` as C wants it.
    var rowStride: Int32 { Int32(bytesPerRow) }
    /// Bytes in a row as C wants it.
    var rowLength: Int32 { Int32(shape.rowByteCount) }
    /// Rows as C wants it.
    var rows: Int32 { Int32(shape.rowCount) }
}
