import CameraMedia
import Synchronization
import Testing

@Suite("Memory pool")
struct MemoryPoolTests {
    @Test("A block comes back and is used again")
    func reuse() throws {
        let pool = MemoryPool(limit: 2)
        let first = try #require(pool.makeBlock(byteCount: 100_000)).base
        #expect(pool.counts == (0, 1))
        let second = try #require(pool.makeBlock(byteCount: 90_000))
        #expect(second.base == first && second.capacity >= 100_000)
        #expect(pool.counts == (1, 0))
    }

    @Test("No more blocks are out than the limit")
    func limit() throws {
        let pool = MemoryPool(limit: 2)
        var blocks = try (0..<2).map { _ in try #require(pool.makeBlock(byteCount: 10)) }
        #expect(pool.makeBlock(byteCount: 10) == nil)
        blocks.removeLast()
        #expect(pool.makeBlock(byteCount: 10) != nil)
        #expect(blocks.count == 1)
        #expect(MemoryPool(limit: 0).makeBlock(byteCount: 1) == nil)
    }

    @Test("A pool that refused a block says once when it has one again")
    func availability() throws {
        let calls = Atomic(0)
        let pool = MemoryPool(limit: 1) { calls.add(1, ordering: .relaxed) }
        var block = pool.makeBlock(byteCount: 10)
        #expect(block != nil && pool.isExhausted)
        block = nil
        #expect(calls.load(ordering: .relaxed) == 0 && !pool.isExhausted)
        block = pool.makeBlock(byteCount: 10)
        #expect(pool.makeBlock(byteCount: 10) == nil)
        block = nil
        block = pool.makeBlock(byteCount: 10)
        #expect(block != nil)
        block = nil
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test(
        "Blocks are aligned for vector instructions, and as large as asked for",
        arguments: [0, 1, 63, 64, 65, 65_535, 65_536, 65_537, 5_000_000])
    func alignment(_ byteCount: Int) throws {
        let block = try #require(MemoryPool(limit: 1).makeBlock(byteCount: byteCount))
        #expect(UInt(bitPattern: block.base) % 64 == 0 && block.capacity >= byteCount)
        block.base.initializeMemory(as: UInt8.self, repeating: 1, count: byteCount)
    }

    @Test("An impossible size is refused")
    func impossible() {
        let pool = MemoryPool(limit: 1)
        #expect(pool.makeBlock(byteCount: -1) == nil && pool.makeBlock(byteCount: .max) == nil)
        #expect(pool.counts == (0, 0) && pool.makeBlock(byteCount: 1) != nil)
    }

    @Test("Sizes in turn each find their block again")
    func mixedSizes() throws {
        let pool = MemoryPool(limit: 4)
        var bases: Set<UnsafeMutableRawPointer> = []
        for round in 0..<50 {
            let large = try #require(pool.makeBlock(byteCount: 1_500_000 - round * 1000))
            let small = try #require(pool.makeBlock(byteCount: 100_000 + round * 100))
            bases.formUnion([large.base, small.base])
        }
        #expect(bases.count == 2 && pool.counts == (0, 2))
    }

    @Test("A small request does not take a much larger block")
    func notTooLarge() throws {
        let pool = MemoryPool(limit: 2)
        let large = try #require(pool.makeBlock(byteCount: 8_000_000)).base
        let small = try #require(pool.makeBlock(byteCount: 1_000_000))
        #expect(small.base != large && small.capacity < 2_000_000)
    }

    @Test("Waiting blocks and blocks in use are as many as the limit, together")
    func bounded() throws {
        let pool = MemoryPool(limit: 3)
        for byteCount in [100_000, 1_000_000, 10_000_000, 30_000_000] {
            _ = try (0..<3).map { _ in try #require(pool.makeBlock(byteCount: byteCount)) }
            #expect(pool.counts.outstanding + pool.counts.idle <= 3)
        }
    }

    @Test("A block of no use is given up after a while")
    func stale() throws {
        let pool = MemoryPool(limit: 8)
        _ = pool.makeBlock(byteCount: 8_000_000)
        for _ in 0..<300 { _ = pool.makeBlock(byteCount: 100_000) }
        #expect(pool.counts == (0, 1))
    }

    @Test("Threads share a pool without passing its limit")
    func threads() async {
        let pool = MemoryPool(limit: 4)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<200 {
                        guard let block = pool.makeBlock(byteCount: 1000 * (1 + (task + round) % 3)) else { continue }
                        block.base.storeBytes(of: task, as: Int.self)
                        #expect(block.base.load(as: Int.self) == task)
                    }
                }
            }
        }
        #expect(pool.counts.outstanding == 0 && pool.counts.idle <= 4)
    }
}
