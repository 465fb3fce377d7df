import Synchronization

/// Numbers the times that sources were opened or changed their format.
public enum Epoch {
    private static let last = Mutex<UInt64>(0)

    /// A new epoch: the UTC time in nanoseconds, or one more than the last if the clock did not advance.
    ///
    /// May be called from any thread.
    public static func next() -> UInt64 {
        last.withLock { last in
            last = max(last &+ 1, CaptureTime.now().utcNanoseconds)
            return last
        }
    }
}
