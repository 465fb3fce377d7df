import Synchronization

/// Tells anyone who listens what a remote camera is doing.
final class StateBroadcast: Sendable {
    private struct State {
        var current = RemoteCameraState.connecting
        var isFinished = false
        var listeners: [UInt64: AsyncStream<RemoteCameraState>.Continuation] = [:]
        var nextListener: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The last that was published.
    var current: RemoteCameraState { state.withLock { $0.current } }

    /// Tells a new state; one that equals the last is not told again.
    ///
    /// - Returns: Whether it differs from the last.
    func publish(_ new: RemoteCameraState) -> Bool {
        let listeners = state.withLock { state -> [AsyncStream<RemoteCameraState>.Continuation]? in
            guard state.current != new else { return nil }
            state.current = new
            return Array(state.listeners.values)
        }
        for listener in listeners ?? [] { listener.yield(new) }
        return listeners != nil
    }

    /// No state follows.
    func finish() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isFinished = true
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }

    /// The current state and all that follow.
    func listen() -> AsyncStream<RemoteCameraState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RemoteCameraState.self, bufferingPolicy: .bufferingNewest(64))
        let (number, isFinished) = state.withLock { state in
            state.nextListener += 1
            if !state.isFinished { state.listeners[state.nextListener] = continuation }
            // Inside the lock, so that no newer state comes before it.
            continuation.yield(state.current)
            return (state.nextListener, state.isFinished)
        }
        if isFinished { continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
