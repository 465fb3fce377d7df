import CameraProtocol
import Dispatch
import Synchronization

/// Brings a session's events to its delegate and to everybody who iterates over them. May be used from any thread.
final class SessionEvents: Sendable {
    private struct State {
        weak var session: CaptureSession?
        weak var delegate: (any CaptureSessionDelegate)?
        var queue: DispatchQueue?
        var continuations: [Int: AsyncStream<CaptureSession.Event>.Continuation] = [:]
        var continuationCount = 0
        var isInterrupted = false
        var isFinished = false
    }

    /// How many events wait for somebody who iterates too slowly; older ones are let go.
    private static let backlog = 64
    private let state = Mutex(State())

    /// Whether the input delivers nothing at the moment, and is going to.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Says whose events these are.
    func setSession(_ session: CaptureSession) {
        state.withLock { $0.session = session }
    }

    func setDelegate(_ delegate: (any CaptureSessionDelegate)?, queue: DispatchQueue?) {
        state.withLock { state in
            state.delegate = delegate
            state.queue = delegate == nil ? nil : queue ?? DispatchQueue(label: "capture session")
        }
    }

    /// All events from now on, until the session is gone.
    func makeStream() -> AsyncStream<CaptureSession.Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CaptureSession.Event.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.continuationCount += 1
            state.continuations[state.continuationCount] = continuation
            return state.continuationCount
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    func emit(_ event: CaptureSession.Event) {
        state.withLock { emit(event, $0) }
    }

    /// Follows what the input does.
    func inputChanged(to newState: CaptureState) {
        state.withLock { state in
            switch newState.state {
            case .interrupted:
                // The reason may change while the device is away; that is no other interruption.
                guard !state.isInterrupted else { return }
                state.isInterrupted = true
                emit(.wasInterrupted(newState.reason), state)
            case .running:
                guard state.isInterrupted else { return }
                state.isInterrupted = false
                emit(.interruptionEnded, state)
            case .ended:
                state.isInterrupted = false
                emit(.inputDidEnd(newState.reason), state)
            case .idle: state.isInterrupted = false
            case .starting: break
            }
        }
    }

    /// The session is gone: everybody's iteration ends.
    func finish() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            state.isFinished = true
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }

    private func emit(_ event: CaptureSession.Event, _ state: borrowing State) {
        for continuation in state.continuations.values { continuation.yield(event) }
        state.queue?.async { [weak self] in
            // Strong references leave the lock: the last one may take the session with it, which takes the lock again.
            guard let (session, delegate) = self?.state.withLock({ ($0.session, $0.delegate) }), let session else {
                return
            }
            delegate?.receive(event, from: session)
        }
    }
}

/// Follows an input's state for the session it belongs to.
final class InputMonitor: CaptureOutput {
    private let events: SessionEvents

    init(_ events: SessionEvents) {
        self.events = events
    }

    func attach(to connection: CaptureConnection) {}

    func detach(from connection: CaptureConnection) {}

    func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
        if case .state(let state) = event { events.inputChanged(to: state) }
    }
}
