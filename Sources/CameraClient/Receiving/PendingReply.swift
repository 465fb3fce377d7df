import Dispatch
import Synchronization

/// An answer that somebody waits for; it comes once, from any thread, before or after the wait begins.
final class PendingReply<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(@Sendable (Result<Value, any Error>) -> Void)
        case answered(Result<Value, any Error>)
        case done
    }

    private let state = Mutex(State.open)

    /// Calls `receiver` with the answer, at once if it is there already; to be called once.
    func whenAnswered(_ receiver: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            if case .answered(let result) = state {
                state = .done
                return result
            }
            state = .waiting(receiver)
            return nil
        }
        if let result { receiver(result) }
    }

    /// Answers; what comes after the first answer is ignored.
    func resume(with result: Result<Value, any Error>) {
        let receiver = state.withLock { state -> (@Sendable (Result<Value, any Error>) -> Void)? in
            switch state {
            case .open:
                state = .answered(result)
                return nil
            case .waiting(let receiver):
                state = .done
                return receiver
            case .answered, .done: return nil
            }
        }
        receiver?(result)
    }

    /// Blocks the thread until the answer is there.
    func wait() -> Result<Value, any Error> {
        let box = Box()
        whenAnswered { result in
            box.result.withLock { $0 = result }
            box.isFull.signal()
        }
        box.isFull.wait()
        return box.result.withLock { $0 ?? .failure(CancellationError()) }
    }

    private final class Box: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isFull = DispatchSemaphore(value: 0)
    }
}
