import CLinux
package import CameraMedia
import Foundation
import Synchronization

/// One thread that waits for sockets, timers and posted work, and runs actors.
///
/// An actor whose `unownedExecutor` is the loop lives on its thread: what other threads post with ``execute(_:)`` runs
/// in the order of the calls, and reaches the actor's state by `assumeIsolated`, without a hop.
package final class EventLoop: SerialExecutor {
    /// What a descriptor is waited for.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let read = Interest(rawValue: clinux_EPOLLIN)
        package static let write = Interest(rawValue: clinux_EPOLLOUT)
    }

    /// Names a descriptor that is waited for; never used twice.
    package struct Registration: Sendable, Hashable {
        fileprivate let token: UInt64
        fileprivate let descriptor: Int32
    }

    private enum Work: Sendable {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// What only the loop's thread touches.
    private final class Local {
        var handlers: [UInt64: (Interest) -> Void] = [:]
        var nextToken: UInt64 = 1
        var timers = TimerQueue()
        var timerActions: [TimerQueue.ID: () -> Void] = [:]
    }

    /// Busy sockets may not put timers off for ever: 64 events a round.
    private static let roundsBeforeTimers = 64

    private let inbox = Mutex<[Work]>([])
    /// Says to the thread sanitizer what it does not see of ``inbox``'s lock: what was done before a post comes first.
    private let postCount = Atomic<UInt64>(0)
    nonisolated(unsafe) private let local = Local()  // touched by the loop's thread only, see checkIsolated()
    private let epoll: Int32
    private let wakeUp: Int32
    private let threadID = Atomic<UInt>(0)

    private static let sharedLoop = Result { () throws(SocketError) in try EventLoop(name: "camstream.loop") }

    /// The process's loop; it lives as long as the process.
    ///
    /// - Throws: ``SocketError`` when descriptors were out at its first use.
    package static func shared() throws(SocketError) -> EventLoop { try sharedLoop.get() }

    /// Starts the loop's thread.
    private init(name: String) throws(SocketError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, wakeUp >= 0, clinux_epoll_control(epoll, EPOLL_CTL_ADD, wakeUp, clinux_EPOLLIN, 0) == 0
        else {
            let code = errno
            if epoll >= 0 { close(epoll) }
            if wakeUp >= 0 { close(wakeUp) }
            throw SocketError(operation: "epoll", subject: name, code: code)
        }
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    // MARK: - From any thread

    /// Runs `work` on the loop's thread, after all that was posted before.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        post(.closure(work))
    }

    /// Runs an actor's job; called by the Swift runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        post(.job(UnownedJob(job)))
    }

    private func post(_ work: Work) {
        postCount.add(1, ordering: .releasing)
        let wasEmpty = inbox.withLock { inbox in
            inbox.append(work)
            return inbox.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { threadID.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Traps unless the caller is on the loop's thread; called by the Swift runtime.
    package func checkIsolated() {
        precondition(isCurrent, "event loop state touched from another thread")
    }

    // MARK: - On the loop's thread

    /// Waits for a descriptor; `handler` is called on the loop's thread with what it is ready for.
    ///
    /// Errors and hang-ups come as both, so that the next read or write shows them.
    package func register(
        _ descriptor: Int32, for interest: Interest, handler: @escaping (Interest) -> Void
    ) throws(SocketError) -> Registration {
        checkIsolated()
        let registration = Registration(token: local.nextToken, descriptor: descriptor)
        guard
            clinux_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, interest.rawValue, registration.token) == 0
        else { throw SocketError(operation: "epoll_ctl", subject: "descriptor \(descriptor)", code: errno) }
        local.nextToken += 1
        local.handlers[registration.token] = handler
        return registration
    }

    /// Changes what a descriptor is waited for.
    package func setInterest(_ interest: Interest, of registration: Registration) {
        checkIsolated()
        _ = clinux_epoll_control(
            epoll, EPOLL_CTL_MOD, registration.descriptor, interest.rawValue, registration.token)
    }

    /// Stops waiting for a descriptor, before it is closed.
    package func unregister(_ registration: Registration) {
        checkIsolated()
        local.handlers[registration.token] = nil
        _ = clinux_epoll_control(epoll, EPOLL_CTL_DEL, registration.descriptor, 0, 0)
    }

    /// Runs `action` on the loop's thread at a time.
    @discardableResult
    package func schedule(at time: HostTime, _ action: @escaping () -> Void) -> TimerQueue.ID {
        checkIsolated()
        let id = local.timers.add(at: time)
        local.timerActions[id] = action
        return id
    }

    /// Takes a scheduled action back; does nothing if it ran already.
    package func cancel(_ timer: TimerQueue.ID) {
        checkIsolated()
        local.timers.cancel(timer)
        local.timerActions[timer] = nil
    }

    private func run() {
        threadID.store(UInt(pthread_self()), ordering: .relaxed)
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            // All sockets are read before any time limit is judged, so that a late wake-up blames nobody.
            var (count, rounds) = (epoll_wait(epoll, &events, Int32(events.count), timeout()), 0)
            while true {
                for event in events.prefix(Int(max(count, 0))) { dispatch(event) }
                rounds += 1
                guard count == events.count, rounds < Self.roundsBeforeTimers else { break }
                count = epoll_wait(epoll, &events, Int32(events.count), 0)
            }
            runInbox()
            while let id = local.timers.popDue(at: .now()) { local.timerActions.removeValue(forKey: id)?() }
        }
    }

    /// Milliseconds until the first timer, rounded up; -1 without one.
    private func timeout() -> Int32 {
        guard let next = local.timers.next else { return -1 }
        return Int32(clamping: (next.nanoseconds(since: .now()) + 999_999) / 1_000_000)
    }

    private func dispatch(_ event: epoll_event) {
        var event = event
        let token = clinux_epoll_token(&event)
        if token == 0 {
            var count: UInt64 = 0
            _ = read(wakeUp, &count, 8)
            return
        }
        let failed = event.events & (clinux_EPOLLERR | clinux_EPOLLHUP) != 0
        local.handlers[token]?(failed ? [.read, .write] : Interest(rawValue: event.events))
    }

    private func runInbox() {
        let work = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        _ = postCount.load(ordering: .acquiring)
        for work in work {
            switch work {
            case .closure(let closure): closure()
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
    }
}
