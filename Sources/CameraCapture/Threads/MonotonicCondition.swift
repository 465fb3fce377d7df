package import CameraMedia
import Glibc

/// A lock with a condition whose time limits follow the monotonic clock, so that a stepped wall clock neither shortens
/// nor stretches a wait.
package final class MonotonicCondition: @unchecked Sendable {
    // Both are set up by `init`, never moved, and made for use from any thread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` under the lock; other threads wait meanwhile.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Lets the lock go until somebody calls ``broadcast()``; may return early.
    ///
    /// - Precondition: Called within ``withLock(_:)``.
    package func wait() {
        pthread_cond_wait(condition, mutex)
    }

    /// Lets the lock go until somebody calls ``broadcast()`` or the deadline passes; may return early.
    ///
    /// - Precondition: Called within ``withLock(_:)``.
    /// - Returns: Whether the deadline has not passed yet.
    package func wait(until deadline: HostTime) -> Bool {
        var time = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
    }

    /// Wakes all that wait.
    ///
    /// - Precondition: Called within ``withLock(_:)``.
    package func broadcast() {
        pthread_cond_broadcast(condition)
    }
}
