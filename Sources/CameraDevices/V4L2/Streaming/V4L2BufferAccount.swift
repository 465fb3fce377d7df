/// Which buffers a driver has, and whether it still takes them: a value without I/O.
struct V4L2BufferAccount {
    /// Buffers that the driver has.
    private(set) var queuedCount: Int
    /// The error number of the first buffer that the driver refused; 0 if it took all. A device that is gone may tell
    /// nobody else while consumers hold all buffers.
    private(set) var failure: Int32 = 0
    /// Whether the driver has had none since the last frame.
    private var wasStarved = false

    init(queuedCount: Int) {
        self.queuedCount = queuedCount
    }

    /// Whether the driver has nothing to fill, and has refused none.
    var isStarved: Bool { queuedCount <= 0 && failure == 0 }

    /// The driver has filled a buffer.
    ///
    /// - Returns: Whether it had none left for a while before.
    mutating func dequeued() -> Bool {
        defer { wasStarved = queuedCount <= 0 }
        queuedCount -= 1
        return wasStarved
    }

    /// A buffer was offered to the driver, with that result.
    ///
    /// - Returns: Whether the capture thread has to know.
    mutating func returned(_ result: Int32) -> Bool {
        guard result == 0 else {
            defer { failure = failure == 0 ? result : failure }
            return failure == 0
        }
        queuedCount += 1
        return queuedCount == 1
    }
}
