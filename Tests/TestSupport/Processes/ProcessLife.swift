import Foundation
import Synchronization

/// Whether a child process still lives, and how it ended.
///
/// A thread of its own waits for the end. The process is reaped under the lock, so that no signal can reach another
/// process that got the same number since.
final class ProcessLife: Sendable {
    private struct State {
        var status: ExitStatus?
        var waiters: [Int: CheckedContinuation<ExitStatus?, Never>] = [:]
        var waiterCount = 0
    }

    private let identifier: pid_t
    private let state = Mutex(State())

    init(of identifier: pid_t) {
        self.identifier = identifier
        Thread.detachNewThread { [self] in
            waitForEnd()
            let (waiters, status) = state.withLock { state in
                var waitStatus: Int32 = 0
                waitpid(identifier, &waitStatus, 0)
                let status = ExitStatus(waitStatus: waitStatus)
                state.status = status
                defer { state.waiters = [:] }
                return (state.waiters, status)
            }
            for waiter in waiters.values { waiter.resume(returning: status) }
        }
    }

    /// Sends a signal, unless the process has ended.
    func send(_ signal: Int32) {
        state.withLock { state in
            if state.status == nil { kill(identifier, signal) }
        }
    }

    /// Waits for the end, at most so long; `nil` if the process then still runs.
    func exitStatus(within limit: Duration) async -> ExitStatus? {
        await withCheckedContinuation { continuation in
            let ended: (status: ExitStatus?, waiter: Int) = state.withLock { state in
                guard state.status == nil else { return (state.status, 0) }
                state.waiterCount += 1
                state.waiters[state.waiterCount] = continuation
                return (nil, state.waiterCount)
            }
            if let status = ended.status { return continuation.resume(returning: status) }
            let deadline = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: deadline) { [self] in
                state.withLock { $0.waiters.removeValue(forKey: ended.waiter) }?.resume(returning: nil)
            }
        }
    }

    /// Blocks until the process has ended, and leaves it to be reaped.
    private func waitForEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }
}
