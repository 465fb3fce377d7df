import CameraMedia
import Synchronization

/// A consumer that waits for a frame.
final class FrameRequest: Sendable {
    private let continuation = Mutex<CheckedContinuation<SampleBuffer, any Error>?>(nil)
    private let isCancelledFlag = Atomic(false)

    /// Whether the consumer's task was cancelled.
    var isCancelled: Bool { isCancelledFlag.load(ordering: .acquiring) }

    /// The consumer's task was cancelled; the request may not have been made yet.
    func cancel() {
        isCancelledFlag.store(true, ordering: .releasing)
    }

    /// The consumer waits.
    func wait(_ continuation: CheckedContinuation<SampleBuffer, any Error>) {
        self.continuation.withLock { $0 = continuation }
    }

    /// Answers, once.
    func resume(with result: Result<SampleBuffer, any Error>) {
        let continuation = self.continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(with: result)
    }
}
