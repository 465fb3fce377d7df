/// When a session starts and stops: a value without locks, which says who does the work and who waits for it.
struct CaptureLifecycle {
    private enum State {
        case stopped, starting, running, stopping
    }

    /// What a thread that wants a change has to do.
    enum Action: Equatable {
        /// Do it, then say that it is done.
        case perform
        /// Ask again after the change that another thread makes.
        case wait
        /// Nothing: it is so already.
        case none
    }

    private var state = State.stopped

    /// Whether the session was started and not stopped since; an interruption does not matter.
    var isRunning: Bool { state == .running }

    /// Whether no start or stop is under way and the inputs do not run.
    var isStopped: Bool { state == .stopped }

    /// Somebody wants the session to run.
    mutating func startRequested() -> Action {
        switch state {
        case .stopped:
            state = .starting
            return .perform
        case .starting, .stopping: return .wait
        case .running: return .none
        }
    }

    /// The inputs were started, or could not be.
    mutating func startFinished(succeeded: Bool) {
        precondition(state == .starting)
        state = succeeded ? .running : .stopped
    }

    /// Somebody wants the session to stop.
    mutating func stopRequested() -> Action {
        switch state {
        case .running:
            state = .stopping
            return .perform
        case .starting, .stopping: return .wait
        case .stopped: return .none
        }
    }

    /// The inputs have stopped.
    mutating func stopFinished() {
        precondition(state == .stopping)
        state = .stopped
    }
}
