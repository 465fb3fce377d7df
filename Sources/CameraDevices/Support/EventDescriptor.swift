import CLinux
import CameraCapture
import Glibc

/// A descriptor that wakes a thread in `poll`: Linux's `eventfd`. May be used from any thread.
final class EventDescriptor: Sendable {
    /// Becomes readable with ``signal()``.
    let descriptor: Int32

    /// - Throws: ``CaptureInputError`` if the process has no descriptor left.
    init(subject: String) throws(CaptureInputError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw CaptureInputError(errno: errno, subject: subject) }
    }

    deinit {
        close(descriptor)
    }

    /// Makes the descriptor readable.
    func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Makes the descriptor unreadable again.
    func reset() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }
}
