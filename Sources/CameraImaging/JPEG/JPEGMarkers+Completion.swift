package import CameraMedia
import Glibc

extension JPEGMarkers {
    /// The length of the image after ``complete(_:into:)``: standard Huffman tables added if it has none, padding after
    /// its end cut off.
    ///
    /// - Parameter byteCount: The bytes that were parsed.
    package func completedByteCount(of byteCount: Int) -> Int {
        (endOffset ?? byteCount) + (hasHuffmanTables ? 0 : StandardHuffmanTables.segment.count)
    }

    /// Copies the image, adding the standard Huffman tables before its first scan if it has none, and cutting off
    /// padding after its end. The only copy between a driver's buffer and the network.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that were parsed.
    ///   - target: Room for ``completedByteCount(of:)`` bytes.
    /// - Precondition: There is that much room, and `bytes` is not shorter than what was parsed.
    package func complete(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        let end = endOffset ?? bytes.count
        precondition(end <= bytes.count && scanOffset <= end)
        precondition(target.count >= completedByteCount(of: bytes.count))
        if hasHuffmanTables {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            return
        }
        let tables = StandardHuffmanTables.segment
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<scanOffset]))
        tables.withUnsafeBytes { tables in
            UnsafeMutableRawBufferPointer(rebasing: target[scanOffset...]).copyMemory(from: tables)
        }
        UnsafeMutableRawBufferPointer(rebasing: target[(scanOffset + tables.count)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[scanOffset..<end]))
    }

    /// The image as ``complete(_:into:)`` makes it, in a block of a pool.
    ///
    /// - Parameter bytes: The bytes that were parsed.
    /// - Returns: A JPEG image of ``size``, in the colorimetry that JPEG files have.
    package func completed(_ bytes: UnsafeRawBufferPointer, pool: MemoryPool) throws(ImagingError) -> EncodedImage {
        let byteCount = completedByteCount(of: bytes.count)
        guard let block = pool.makeBlock(byteCount: byteCount) else { throw .outOfBuffers }
        complete(bytes, into: UnsafeMutableRawBufferPointer(start: block.base, count: byteCount))
        return EncodedImage(
            codec: .jpeg, width: Int(size.width), height: Int(size.height), colorimetry: .jpeg,
            data: SharedBytes(block: block, count: byteCount))
    }
}
