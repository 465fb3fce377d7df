/// The memory of one plane of a picture that is being filled.
///
/// Whoever hands it out says for how long it may be used: a `fill` closure of ``PixelBuffer`` until it returns.
public struct PlaneMemory {
    /// The first byte of the first row.
    package let base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next, at least `shape.rowByteCount`.
    public let bytesPerRow: Int
    /// The plane without padding: bytes a row, and rows.
    public let shape: PlaneShape

    /// Describes memory that somebody else owns.
    package init(base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, shape: PlaneShape) {
        self.base = base
        self.bytesPerRow = bytesPerRow
        self.shape = shape
    }

    /// Rows in the plane.
    public var rowCount: Int { shape.rowCount }

    /// Bytes from the first of the first row to the last of the last row, padding between rows included.
    public var byteCount: Int { (shape.rowCount - 1) * bytesPerRow + shape.rowByteCount }

    /// All bytes: row `y` begins at `y * bytesPerRow`. For C functions, and for filling at once.
    public var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    }

    /// Gives a row to write to, `shape.rowByteCount` bytes, every access checked.
    ///
    /// - Parameters:
    ///   - row: The row, from 0 at the top.
    ///   - body: Writes the bytes.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    /// - Precondition: `row` is below ``rowCount``.
    public func withRow<Result, Failure: Error>(
        _ row: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(row >= 0 && row < rowCount, "the plane has \(rowCount) rows, and no row \(row)")
        var bytes = MutableSpan(_unsafeStart: base + row * bytesPerRow, count: shape.rowByteCount)
        return try body(&bytes)
    }
}

extension PlaneMemory {
    /// The planes of a picture whose rows have no padding and whose planes follow one another from `base` on.
    package static func packed(
        _ pixelFormat: PixelFormat, width: Int, height: Int, at base: UnsafeMutablePointer<UInt8>
    ) -> [PlaneMemory] {
        var base = base
        return (0..<pixelFormat.planeCount).map { index in
            let shape = pixelFormat.plane(index, width: width, height: height)
            defer { base += shape.byteCount }
            return PlaneMemory(base: base, bytesPerRow: shape.rowByteCount, shape: shape)
        }
    }

    /// The planes of a picture in a caller's memory, one after the other.
    ///
    /// - Parameters:
    ///   - pixelFormat: The layout.
    ///   - size: The picture's size, at least 1x1.
    ///   - bytesPerRow: Bytes from one row of the first plane to the next; `nil` for rows without padding. Chroma planes
    ///     have as much, or half of it rounded up where a row has half as many samples.
    ///   - memory: Where the planes are.
    /// - Throws: ``PixelBufferError/bytesPerRowOutOfRange(_:allowed:)``,
    ///   ``PixelBufferError/memoryTooSmall(byteCount:needed:)``.
    package static func planes(
        _ pixelFormat: PixelFormat, size: PixelSize, bytesPerRow: Int?, in memory: UnsafeMutableRawBufferPointer
    ) throws(PixelBufferError) -> [PlaneMemory] {
        let shapes = (0..<pixelFormat.planeCount).map {
            pixelFormat.plane($0, width: Int(size.width), height: Int(size.height))
        }
        let minimum = shapes[0].rowByteCount
        // The upper bound keeps the sums below from overflowing, and is what C libraries take.
        let allowed = minimum...Int(Int32.max)
        let bytesPerRow = bytesPerRow ?? minimum
        guard allowed.contains(bytesPerRow) else {
            throw .bytesPerRowOutOfRange(bytesPerRow, allowed: allowed)
        }
        var (offset, end) = (0, 0)
        let places = shapes.enumerated().map { index, shape in
            let stride = index == 0 ? bytesPerRow : pixelFormat.chromaBytesPerRow(forLuma: bytesPerRow)
            defer {
                end = offset + (shape.rowCount - 1) * stride + shape.rowByteCount
                offset += shape.rowCount * stride
            }
            return (offset: offset, stride: stride, shape: shape)
        }
        guard memory.count >= end, let base = memory.baseAddress else {
            throw .memoryTooSmall(byteCount: memory.count, needed: end)
        }
        return places.map { place in
            PlaneMemory(
                base: (base + place.offset).assumingMemoryBound(to: UInt8.self), bytesPerRow: place.stride,
                shape: place.shape)
        }
    }

    /// Copies the rows of a plane of the same shape.
    package func copyRows(of source: PlaneMemory) {
        if source.bytesPerRow == bytesPerRow && bytesPerRow == shape.rowByteCount {
            base.update(from: source.base, count: shape.byteCount)
            return
        }
        for row in 0..<rowCount {
            (base + row * bytesPerRow).update(from: source.base + row * source.bytesPerRow, count: shape.rowByteCount)
        }
    }
}

extension PixelFormat {
    /// The bytes from one row of a chroma plane to the next that go with those of the first plane.
    fileprivate func chromaBytesPerRow(forLuma bytesPerRow: Int) -> Int {
        switch self {
        case .i420, .i422: bytesPerRow / 2 + bytesPerRow % 2
        case .nv12: bytesPerRow + bytesPerRow % 2
        case .i444, .bgra32, .rgb24, .bgr24, .gray8, .yuyv, .uyvy: bytesPerRow
        }
    }
}
