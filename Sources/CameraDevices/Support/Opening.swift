import CameraCapture
import Synchronization

/// How the first attempt to open a source ended, passed from the input's thread to whoever started it.
final class Opening: Sendable {
    private enum Outcome {
        case pending, open
        case failed(CaptureInputError)
    }

    private let outcome = Mutex(Outcome.pending)
    private let changed = MonotonicCondition()

    /// The attempt ended; `nil`: well.
    func finish(_ error: CaptureInputError?) {
        changed.withLock {
            outcome.withLock { $0 = error.map { .failed($0) } ?? .open }
            changed.broadcast()
        }
    }

    /// Waits until the attempt has ended.
    ///
    /// - Throws: The error it ended with.
    func wait() throws(CaptureInputError) {
        try changed.withLock { () throws(CaptureInputError) in
            while true {
                switch outcome.withLock({ $0 }) {
                case .pending: changed.wait()
                case .open: return
                case .failed(let error): throw error
                }
            }
        }
    }
}
