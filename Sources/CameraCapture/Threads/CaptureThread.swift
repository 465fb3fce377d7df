import Foundation
import Synchronization

/// A thread of an input's own: blocking work belongs here, not on the cooperative pool.
package final class CaptureThread: Sendable {
    private let completion: Completion

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: What `top` shows; cut to 15 bytes.
    ///   - body: What it does.
    package init(name: String, body: @escaping @Sendable () -> Void) {
        let completion = Completion()
        self.completion = completion
        let shortName = String(decoding: name.utf8.prefix(15), as: UTF8.self)
        let thread = Thread {
            Self.nameCurrentThread(shortName)
            completion.begin()
            body()
            completion.finish()
        }
        thread.start()
    }

    /// Foundation forgets a name that was given before the start, and glibc's own call is hidden from Swift.
    private static func nameCurrentThread(_ name: String) {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, name, name.utf8.count)
        close(descriptor)
    }

    /// Waits until the thread's work is done; returns at once when called by that thread.
    package func join() {
        completion.wait()
    }
}

/// Whether a thread's work is done.
private final class Completion: Sendable {
    private let changed = MonotonicCondition()
    private let isFinished = Atomic(false)
    private let runner = Atomic<UInt>(0)

    func begin() {
        runner.store(UInt(pthread_self()), ordering: .relaxed)
    }

    func finish() {
        changed.withLock {
            isFinished.store(true, ordering: .relaxed)
            changed.broadcast()
        }
    }

    func wait() {
        if runner.load(ordering: .relaxed) == UInt(pthread_self()) { return }
        changed.withLock {
            while !isFinished.load(ordering: .relaxed) { changed.wait() }
        }
    }
}
