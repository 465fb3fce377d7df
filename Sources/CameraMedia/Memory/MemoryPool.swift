import Glibc
import Synchronization

/// Reuses blocks of memory, so that a steady stream of frames allocates nothing large.
///
/// Bounded twice: at most `limit` blocks are out at a time, and at most that many wait for reuse. May be used from
/// any thread.
public final class MemoryPool: Sendable {
    private struct State {
        var outstanding = 0
        var idle: [Memory] = []
    }

    /// One allocation; the pool's lock or the one block that holds it guards it.
    fileprivate struct Memory: @unchecked Sendable {
        let base: UnsafeMutableRawPointer
        let capacity: Int
    }

    /// The most blocks that are out at a time.
    public let limit: Int
    private let state = Mutex(State())

    /// Creates a pool.
    ///
    /// - Parameter limit: The most blocks that are out at a time.
    public init(limit: Int) {
        self.limit = limit
    }

    deinit {
        for memory in state.withLock({ $0.idle }) { free(memory.base) }
    }

    /// A block of at least `byteCount` bytes, 64-byte aligned, its content arbitrary.
    ///
    /// - Returns: `nil` if `limit` blocks are out, or the machine has no memory left.
    public func makeBlock(byteCount: Int) -> MemoryBlock? {
        let (memory, surplus): (Memory?, [Memory]) = state.withLock { state in
            guard state.outstanding < limit else { return (nil, []) }
            state.outstanding += 1
            if let index = state.idle.lastIndex(where: { $0.capacity >= byteCount && $0.capacity / 2 <= byteCount }) {
                return (state.idle.remove(at: index), [])
            }
            // Blocks of a size that is no longer asked for make room for those that are.
            let surplus = state.idle
            state.idle = []
            return (Self.allocate(byteCount), surplus)
        }
        for memory in surplus { free(memory.base) }
        return memory.map { MemoryBlock(memory: $0, pool: self) }
    }

    private static func allocate(_ byteCount: Int) -> Memory? {
        // Rounded up so that compressed frames, whose sizes vary, fit a reused block.
        let granule = 65_536
        let capacity = byteCount < granule ? (max(byteCount, 1) + 63) & ~63 : (byteCount + granule - 1) & ~(granule - 1)
        guard let base = aligned_alloc(64, capacity) else { return nil }
        return Memory(base: base, capacity: capacity)
    }

    fileprivate func takeBack(_ memory: Memory) {
        let keeps = state.withLock { state in
            state.outstanding -= 1
            guard state.idle.count < limit else { return false }
            state.idle.append(memory)
            return true
        }
        if !keeps { free(memory.base) }
    }
}

/// Memory from a pool; goes back with its last reference.
///
/// Whoever made it fills it before sharing it; from then on nobody writes, which is what makes it `Sendable`.
public final class MemoryBlock: @unchecked Sendable {
    private let memory: MemoryPool.Memory
    private let pool: MemoryPool

    fileprivate init(memory: MemoryPool.Memory, pool: MemoryPool) {
        self.memory = memory
        self.pool = pool
    }

    deinit {
        pool.takeBack(memory)
    }

    /// The first byte.
    package var base: UnsafeMutableRawPointer { memory.base }
    /// The bytes available, at least what was asked for.
    package var capacity: Int { memory.capacity }
}
