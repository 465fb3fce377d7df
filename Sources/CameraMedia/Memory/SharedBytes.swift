/// Immutable bytes shared by reference: a compressed image, or a raw frame as received.
///
/// May be used from any thread, by several at once.
public final class SharedBytes: Sendable {
    nonisolated(unsafe) private let base: UnsafeRawPointer  // nobody writes to it as long as `owner` lives
    private let owner: any Sendable
    /// The number of bytes.
    public let count: Int

    /// Refers to memory that `owner` keeps alive and unchanged.
    package init(base: UnsafeRawPointer, count: Int, owner: any Sendable) {
        self.base = base
        self.count = count
        self.owner = owner
    }

    /// Refers to the first `count` bytes of a block that was filled.
    package convenience init(block: MemoryBlock, count: Int) {
        precondition(count <= block.capacity)
        self.init(base: UnsafeRawPointer(block.base), count: count, owner: block)
    }

    /// Copies bytes.
    ///
    /// - Parameter bytes: What to copy.
    public convenience init(copying bytes: [UInt8]) {
        let copy = HeapCopy(bytes)
        self.init(base: UnsafeRawPointer(copy.memory), count: bytes.count, owner: copy)
    }

    /// Gives access to the bytes for the duration of the closure; no copy is made.
    ///
    /// - Parameter body: May use the bytes until it returns.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// The bytes; no copy is made. The span lives no longer than this object, which the compiler checks.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self) get {
            _overrideLifetime(
                Span(_unsafeStart: base.assumingMemoryBound(to: UInt8.self), count: count), borrowing: self)
        }
    }

    /// The same bytes in memory of their own.
    package func copied() -> SharedBytes { SharedBytes(copying: array) }

    /// The bytes as an array, copied.
    public var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// Owns a copy of an array's bytes; written only by `init`.
private final class HeapCopy: @unchecked Sendable {
    let memory: UnsafeMutablePointer<UInt8>

    init(_ bytes: [UInt8]) {
        memory = .allocate(capacity: max(bytes.count, 1))
        memory.initialize(from: bytes, count: bytes.count)
    }

    deinit {
        memory.deallocate()
    }
}
