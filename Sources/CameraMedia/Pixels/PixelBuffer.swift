/// An uncompressed picture: immutable once filled, shared by reference, given back to its pool or driver with the
/// last reference.
///
/// A camera has only so many buffers: a program that keeps more makes the camera drop frames. Make an `Image`, or copy
/// with ``copy(to:bytesPerRow:)``, of what is to be kept. May be used from any thread, by several at once.
public final class PixelBuffer: Sendable {
    /// Pixels a row, at least 1.
    public let width: Int
    /// Rows, at least 1.
    public let height: Int
    /// The layout of the pixels.
    public let pixelFormat: PixelFormat
    /// How components map to light.
    public let colorimetry: Colorimetry
    nonisolated(unsafe) private let memory: [PlaneMemory]  // written only while filled, before the buffer is shared
    private let owner: any Sendable

    /// Refers to planes that `owner` keeps alive and unchanged.
    ///
    /// - Precondition: `planes` has `pixelFormat.planeCount` elements, each large enough for the size.
    package init(
        width: Int, height: Int, pixelFormat: PixelFormat, colorimetry: Colorimetry, planes: [PlaneMemory],
        owner: any Sendable
    ) {
        precondition(planes.count == pixelFormat.planeCount)
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.colorimetry = colorimetry
        self.memory = planes
        self.owner = owner
    }

    /// Creates a picture in memory of its own and has it filled.
    ///
    /// - Parameters:
    ///   - width: Pixels a row, at least 1.
    ///   - height: Rows, at least 1; at most ``Limits/pixelCount`` pixels in all.
    ///   - pixelFormat: The layout.
    ///   - colorimetry: How components map to light; `nil` for ``Colorimetry/rgb`` in an RGB layout, else BT.601 in
    ///     limited range.
    ///   - fill: Writes every row of every plane; the content is arbitrary before. The planes' memory may be touched
    ///     within the closure only.
    /// - Throws: ``PixelBufferError`` if the size is out of range or memory is out; what `fill` throws.
    public convenience init(
        width: Int, height: Int, pixelFormat: PixelFormat, colorimetry: Colorimetry? = nil,
        fill: ([PlaneMemory]) throws -> Void
    ) throws {
        try self.init(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry,
            pool: MemoryPool(limit: 1), fill: fill)
    }

    /// Creates a picture in a block of a pool, rows without padding, and has it filled; the block goes back with the
    /// picture's last reference.
    ///
    /// - Parameters:
    ///   - width: Pixels a row, at least 1.
    ///   - height: Rows, at least 1; at most ``Limits/pixelCount`` pixels in all.
    ///   - pixelFormat: The layout.
    ///   - colorimetry: How components map to light; `nil` for ``Colorimetry/rgb`` in an RGB layout, else BT.601 in
    ///     limited range.
    ///   - pool: Where the memory comes from.
    ///   - fill: Writes every row of every plane; the content is arbitrary before. The planes' memory may be touched
    ///     within the closure only.
    /// - Throws: ``PixelBufferError`` if the size is out of range or the pool has no block left; what `fill` throws.
    public convenience init(
        width: Int, height: Int, pixelFormat: PixelFormat, colorimetry: Colorimetry? = nil, pool: MemoryPool,
        fill: ([PlaneMemory]) throws -> Void
    ) throws {
        let (block, planes) = try Self.allocate(width: width, height: height, pixelFormat: pixelFormat, pool: pool)
        try fill(planes)
        self.init(
            width: width, height: height, pixelFormat: pixelFormat,
            colorimetry: colorimetry ?? pixelFormat.usualColorimetry, planes: planes, owner: block)
    }

    /// Memory for a picture, rows without padding.
    package static func allocate(
        width: Int, height: Int, pixelFormat: PixelFormat, pool: MemoryPool
    ) throws(PixelBufferError) -> (block: MemoryBlock, planes: [PlaneMemory]) {
        guard width > 0, height > 0, width <= Limits.pixelCount / height else {
            throw .size(width: width, height: height)
        }
        let byteCount = pixelFormat.byteCount(width: width, height: height)
        // SIMD code may read, never write, up to 63 bytes past a row.
        guard let block = pool.makeBlock(byteCount: byteCount + 64) else { throw .outOfBuffers }
        let base = block.base.assumingMemoryBound(to: UInt8.self)
        return (block, PlaneMemory.packed(pixelFormat, width: width, height: height, at: base))
    }

    /// The planes' memory; nobody may write to it.
    package var planes: [PlaneMemory] { memory }

    /// The number of planes, 1 to 3.
    public var planeCount: Int { memory.count }

    /// Bytes from one row of the first plane to the next; may be more than a row has.
    public var bytesPerRow: Int { memory[0].bytesPerRow }

    /// Bytes from one row of a plane to the next; may be more than a row has.
    ///
    /// - Parameter plane: The plane, 0 for the first.
    /// - Precondition: `plane` is below ``planeCount``.
    public func bytesPerRow(ofPlane plane: Int) -> Int { memory[plane].bytesPerRow }

    /// The rows of a plane; those of chroma may be half as many, rounded up.
    ///
    /// - Parameter plane: The plane, 0 for the first.
    /// - Precondition: `plane` is below ``planeCount``.
    public func rowCount(ofPlane plane: Int) -> Int { memory[plane].rowCount }

    /// The picture's size in pixels.
    public var size: PixelSize { PixelSize(width: UInt32(width), height: UInt32(height)) }

    /// Gives access to a plane's bytes, ``bytesPerRow(ofPlane:)`` × ``rowCount(ofPlane:)`` of them less the last row's
    /// padding, for the duration of the closure; no copy is made.
    ///
    /// - Parameters:
    ///   - plane: The plane, 0 for the first.
    ///   - body: May use the bytes until it returns, and must not write to them.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    /// - Precondition: `plane` is below ``planeCount``.
    public func withBaseAddress<Result, Failure: Error>(
        ofPlane plane: Int = 0, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let plane = memory[plane]
        return try withExtendedLifetime(owner) { () throws(Failure) in
            try body(UnsafeRawBufferPointer(start: plane.base, count: plane.byteCount))
        }
    }

    /// A plane's bytes, as ``withBaseAddress(ofPlane:_:)`` gives them; no copy is made.
    ///
    /// Byte `x` of row `y` is at `y * bytesPerRow(ofPlane: plane) + x`. The span lives no longer than the picture, which
    /// the compiler checks.
    ///
    /// - Parameter plane: The plane, 0 for the first.
    /// - Precondition: `plane` is below ``planeCount``.
    @_lifetime(borrow self)
    public func bytes(ofPlane plane: Int = 0) -> Span<UInt8> {
        let plane = memory[plane]
        return _overrideLifetime(
            Span(_unsafeStart: UnsafePointer(plane.base), count: plane.byteCount), borrowing: self)
    }
}
