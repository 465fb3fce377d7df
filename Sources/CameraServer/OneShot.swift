import Foundation
import Synchronization

/// A value that one thread sets and another waits for.
final class OneShot<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ value: Value) {
        self.value.withLock { $0 = value }
        isSet.signal()
    }

    /// Blocks until the value is set; not for the thread that sets it.
    func wait() -> Value {
        while true {
            isSet.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
