/// When a session starts, stops and gets another input: a value without locks, which says who does the work and who
/// waits for it.
struct CaptureLifecycle {
    private enum State {
        case stopped, starting, running, stopping
        /// The input is being replaced or set up anew.
        case changing(isRunning: Bool)
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
    var isRunning: Bool {
        switch state {
        case .running, .changing(isRunning: true): true
        case .stopped, .starting, .stopping, .changing(isRunning: false): false
        }
    }

    /// Somebody wants the session to run.
    mutating func startRequested() -> Action {
        switch state {
        case .stopped:
            state = .starting
            return .perform
        case .starting, .stopping, .changing: return .wait
        case .running: return .none
        }
    }

    /// The input was started, or could not be.
    mutating func startFinished(succeeded: Bool) {
        guard case .starting = state else { preconditionFailure("no start is under way") }
        state = succeeded ? .running : .stopped
    }

    /// Somebody wants the session to stop.
    mutating func stopRequested() -> Action {
        switch state {
        case .running:
            state = .stopping
            return .perform
        case .starting, .stopping, .changing: return .wait
        case .stopped: return .none
        }
    }

    /// The input has stopped.
    mutating func stopFinished() {
        guard case .stopping = state else { preconditionFailure("no stop is under way") }
        state = .stopped
    }

    /// Somebody wants another input, or the input otherwise.
    mutating func changeRequested() -> Action {
        switch state {
        case .stopped:
            state = .changing(isRunning: false)
            return .perform
        case .running:
            state = .changing(isRunning: true)
            return .perform
        case .starting, .stopping, .changing: return .wait
        }
    }

    /// The input was changed, or that was given up.
    ///
    /// - Parameter isRunning: Whether the session runs now.
    mutating func changeFinished(isRunning: Bool) {
        guard case .changing = state else { preconditionFailure("no change is under way") }
        state = isRunning ? .running : .stopped
    }
}
