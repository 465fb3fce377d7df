/// An uncompressed picture: immutable once filled, shared by reference, given back to its pool or driver with the
/// last reference.
public final class PixelBuffer: Sendable {
    /// Pixels a row.
    public let width: Int
    /// Rows.
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
    ///   - colorimetry: How components map to light.
    ///   - fill: Writes every row of every plane; the content is arbitrary before.
    /// - Throws: ``PixelBufferError`` if the size is out of range or memory is out; what `fill` throws.
    public convenience init(
        width: Int, height: Int, pixelFormat: PixelFormat, colorimetry: Colorimetry,
        fill: ([PlaneMemory]) throws -> Void
    ) throws {
        try self.init(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry,
            pool: MemoryPool(limit: 1), fill: fill)
    }

    /// Creates a picture in a block of a pool, rows without padding, and has it filled; the block goes back with the
    /// picture's last reference.
    ///
    /// - Throws: ``PixelBufferError`` if the size is out of range or the pool has no block left; what `fill` throws.
    public convenience init(
        width: Int, height: Int, pixelFormat: PixelFormat, colorimetry: Colorimetry, pool: MemoryPool,
        fill: ([PlaneMemory]) throws -> Void
    ) throws {
        guard width > 0, height > 0, width <= Limits.pixelCount / height else {
            throw PixelBufferError.size(width: width, height: height)
        }
        let byteCount = pixelFormat.byteCount(width: width, height: height)
        // SIMD code may read, never write, up to 63 bytes past a row.
        guard let block = pool.makeBlock(byteCount: byteCount + 64) else { throw PixelBufferError.outOfBuffers }
        let planes = PlaneMemory.packed(
            pixelFormat, width: width, height: height, at: block.base.assumingMemoryBound(to: UInt8.self))
        try fill(planes)
        self.init(
            width: width, height: height, pixelFormat: pixelFormat, colorimetry: colorimetry, planes: planes,
            owner: block)
    }

    /// The planes' memory; nobody may write to it.
    package var planes: [PlaneMemory] { memory }

    /// The number of planes, 1 to 3.
    public var planeCount: Int { memory.count }

    /// Bytes from one row of the first plane to the next.
    public var bytesPerRow: Int { memory[0].bytesPerRow }

    /// Bytes from one row of a plane to the next.
    ///
    /// - Precondition: `plane` is below ``planeCount``.
    public func bytesPerRow(ofPlane plane: Int) -> Int { memory[plane].bytesPerRow }

    /// The rows of a plane.
    ///
    /// - Precondition: `plane` is below ``planeCount``.
    public func rowCount(ofPlane plane: Int) -> Int { memory[plane].rowCount }

    /// The picture's size.
    public var size: PixelSize { PixelSize(width: UInt32(width), height: UInt32(height)) }

    /// Gives access to a plane's bytes, ``bytesPerRow(ofPlane:)`` × ``rowCount(ofPlane:)`` of them less the last row's
    /// padding, for the duration of the closure; no copy is made.
    ///
    /// - Precondition: `plane` is below ``planeCount``.
    public func withBaseAddress<Result, Failure: Error>(
        ofPlane plane: Int = 0, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let plane = memory[plane]
        return try withExtendedLifetime(owner) { () throws(Failure) in
            try body(UnsafeRawBufferPointer(start: plane.base, count: plane.byteCount))
        }
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
        var destination = destination
        for plane in memory {
            if plane.bytesPerRow == plane.shape.rowByteCount {
                destination.update(from: plane.base, count: plane.shape.byteCount)
                destination += plane.shape.byteCount
                continue
            }
            for row in 0..<plane.rowCount {
                destination.update(from: plane.base + row * plane.bytesPerRow, count: plane.shape.rowByteCount)
                destination += plane.shape.rowByteCount
            }
        }
    }

    /// Whether the planes follow one another without any padding, as a raw frame's payload does.
    package var isPacked: Bool {
        var expected = memory[0].base
        for plane in memory {
            guard plane.base == expected, plane.bytesPerRow == plane.shape.rowByteCount else { return false }
            expected += plane.shape.byteCount
        }
        return true
    }
}

/// The memory of one plane.
public struct PlaneMemory {
    /// The first byte of the first row.
    public let base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next, at least `shape.rowByteCount`.
    public let bytesPerRow: Int
    /// The plane without padding.
    public let shape: PlaneShape

    /// Describes memory that somebody else owns.
    public init(base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, shape: PlaneShape) {
        self.base = base
        self.bytesPerRow = bytesPerRow
        self.shape = shape
    }

    /// Rows in the plane.
    public var rowCount: Int { shape.rowCount }

    /// Bytes from the first of the first row to the last of the last row, padding between rows included.
    public var byteCount: Int { (shape.rowCount - 1) * bytesPerRow + shape.rowByteCount }

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
}

/// Why a pixel buffer could not be made.
public enum PixelBufferError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The size is empty or above ``Limits/pixelCount``.
    case size(width: Int, height: Int)
    /// All buffers of the pool are in use, or memory is out.
    case outOfBuffers

    /// For a person.
    public var description: String {
        switch self {
        case .size(let width, let height):
            "a picture of \(width)x\(height) pixels is not possible (at least 1x1, at most \(Limits.pixelCount) pixels)"
        case .outOfBuffers: "all buffers are in use"
        }
    }
}
