import CameraMedia
import Testing

@Suite("Shared bytes")
struct SharedBytesTests {
    @Test("Copied bytes are their own", arguments: [[], [1], [UInt8](repeating: 7, count: 1000)] as [[UInt8]])
    func copy(_ bytes: [UInt8]) {
        let shared = SharedBytes(copying: bytes)
        #expect(shared.count == bytes.count && shared.array == bytes)
        #expect(shared.withUnsafeBytes { $0.count } == bytes.count)
        let span = shared.bytes
        #expect(span.indices.map { span[$0] } == bytes)
    }

    @Test("A block stays out as long as its bytes are shared")
    func block() throws {
        let pool = MemoryPool(limit: 1)
        var shared: SharedBytes? = try {
            let block = try #require(pool.makeBlock(byteCount: 4))
            block.base.storeBytes(of: 0x0403_0201, as: UInt32.self)
            return SharedBytes(block: block, count: 3)
        }()
        let bytes = shared?.array
        #expect(bytes == [1, 2, 3] && pool.counts == (1, 0))
        shared = nil
        #expect(pool.counts == (0, 1))
    }
}
