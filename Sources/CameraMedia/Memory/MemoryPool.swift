import Glibc
import Synchronization

/// Reuses blocks of memory, so that a steady stream of frames allocates nothing large.
///
/// A program that makes picture after picture gives one to ``PixelBuffer``'s initializers. Bounded: blocks that are out
/// and blocks that wait for reuse are `limit` at most, together. A waiting block that no request fitted for a while is
/// freed. May be used from any thread.
public final class MemoryPool: Sendable {
    fileprivate struct State {
        var outstanding = 0
        /// The longest idle first.
        var idle: [Idle] = []
        /// Requests so far: the pool's clock.
        var requestCount: UInt64 = 0
        /// Whether a request was refused since the last block came back.
        var hasRefused = false
    }

    fileprivate struct Idle {
        let memory: Memory
        let since: UInt64
    }

    /// One allocation; the pool's lock or the one block that holds it guards it.
    fileprivate struct Memory: @unchecked Sendable {
        let base: UnsafeMutableRawPointer
        let capacity: Int
    }

    /// The most blocks, and so pictures, that are out at a time.
    public let limit: Int
    private let state = Mutex(State())
    private let whenAvailable: (@Sendable () -> Void)?

    /// Creates a pool.
    ///
    /// - Parameter limit: The most blocks, and so pictures, that are out at a time.
    public init(limit: Int) {
        self.limit = limit
        whenAvailable = nil
    }

    /// Creates a pool that says when it has a block again.
    ///
    /// - Parameters:
    ///   - limit: The most blocks, and so pictures, that are out at a time.
    ///   - whenAvailable: Called after a block came back to a pool that had refused one, on the thread that let go of
    ///     the block; must not block for long.
    package init(limit: Int, whenAvailable: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.whenAvailable = whenAvailable
    }

    deinit {
        for idle in state.withLock({ $0.idle }) { free(idle.memory.base) }
    }

    /// A block of at least `byteCount` bytes, 64-byte aligned, its content arbitrary.
    ///
    /// - Returns: `nil` if `limit` blocks are out, or the machine has no memory left.
    package func makeBlock(byteCount: Int) -> MemoryBlock? {
        let (memory, surplus): (Memory?, Memory?) = state.withLock { state in
            guard byteCount >= 0, byteCount <= Int.max / 2, state.outstanding < limit else {
                state.hasRefused = true
                return (nil, nil)
            }
            state.requestCount += 1
            if let index = state.idle.lastIndex(where: { $0.memory.fits(byteCount) }) {
                state.outstanding += 1
                return (state.idle.remove(at: index).memory, state.takeSurplus(limit: limit))
            }
            // The new one may take the place of one that waits.
            let surplus = state.takeSurplus(limit: limit - 1)
            guard let memory = Self.allocate(byteCount) else { return (nil, surplus) }
            state.outstanding += 1
            return (memory, surplus)
        }
        if let surplus { free(surplus.base) }
        return memory.map { MemoryBlock(memory: $0, pool: self) }
    }

    /// Whether as many blocks are out as may be.
    package var isExhausted: Bool { state.withLock { $0.outstanding >= limit } }

    /// Blocks that are out, and blocks that wait for reuse.
    package var counts: (outstanding: Int, idle: Int) {
        state.withLock { ($0.outstanding, $0.idle.count) }
    }

    private static func allocate(_ byteCount: Int) -> Memory? {
        // Rounded up so that compressed frames, whose sizes vary, fit a reused block.
        let granule = 65_536
        let capacity = byteCount < granule ? (max(byteCount, 1) + 63) & ~63 : (byteCount + granule - 1) & ~(granule - 1)
        guard let base = aligned_alloc(64, capacity) else { return nil }
        return Memory(base: base, capacity: capacity)
    }

    fileprivate func takeBack(_ memory: Memory) {
        let (keeps, isAwaited) = state.withLock { state in
            state.outstanding -= 1
            let isAwaited = state.hasRefused
            state.hasRefused = false
            guard state.outstanding + state.idle.count < limit else { return (false, isAwaited) }
            state.idle.append(Idle(memory: memory, since: state.requestCount))
            return (true, isAwaited)
        }
        if !keeps { free(memory.base) }
        if isAwaited { whenAvailable?() }
    }
}

extension MemoryPool.Memory {
    /// Whether a request may have this memory: large enough, and not so large that most of it would lie idle.
    fileprivate func fits(_ byteCount: Int) -> Bool {
        capacity >= byteCount && capacity / 2 <= max(byteCount, 65_536)
    }
}

extension MemoryPool.State {
    /// Takes out the longest idle block if there are more blocks than `limit`, or if it was of no use for long.
    fileprivate mutating func takeSurplus(limit: Int) -> MemoryPool.Memory? {
        guard let oldest = idle.first else { return nil }
        let isStale = requestCount - oldest.since > 256
        guard isStale || outstanding + idle.count > limit else { return nil }
        return idle.removeFirst().memory
    }
}

/// Memory from a pool; goes back with its last reference.
///
/// Whoever made it fills it before sharing it; from then on nobody writes, which is what makes it `Sendable`.
package final class MemoryBlock: @unchecked Sendable {
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
