import CameraMedia
import Glibc

/// Memory that a codec writes to before the length is known; it only grows and is used again for every picture.
final class GrowingBuffer {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    /// The bytes in use.
    var count = 0

    deinit {
        free(base)
    }

    /// Makes room for `byteCount` bytes; what is in use is kept.
    ///
    /// - Returns: Whether there was memory.
    func reserve(_ byteCount: Int) -> Bool {
        if byteCount <= capacity { return true }
        guard let grown = realloc(base, byteCount) else { return false }
        base = grown
        capacity = byteCount
        return true
    }

    /// Appends bytes, doubling the room if it must.
    ///
    /// - Returns: Whether there was memory.
    func append(_ bytes: UnsafeRawPointer, count byteCount: Int) -> Bool {
        guard capacity - count >= byteCount || reserve(max(2 * capacity, count + byteCount, 65_536)), let base
        else { return false }
        (base + count).copyMemory(from: bytes, byteCount: byteCount)
        count += byteCount
        return true
    }

    /// The bytes in use, copied to a block of a pool that is no larger than they need.
    func shared(by pool: MemoryPool) throws(ImagingError) -> SharedBytes {
        guard let block = pool.makeBlock(byteCount: count) else { throw .outOfBuffers }
        if let base { block.base.copyMemory(from: base, byteCount: count) }
        return SharedBytes(block: block, count: count)
    }
}
