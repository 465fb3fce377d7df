import CameraProtocol
import Foundation
import Synchronization

/// Why the program ends; the first reason counts.
final class Ending: Sendable {
    enum Reason: Sendable {
        case signal
        case sourcesEnded(StateReason)
    }

    private let reason = Mutex<Reason?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ reason: Reason) {
        self.reason.withLock { $0 = $0 ?? reason }
        isSet.signal()
    }

    func wait() -> Reason {
        while true {
            isSet.wait()
            if let reason = reason.withLock({ $0 }) { return reason }
        }
    }
}
