import Synchronization

/// Joins an input and an output of a session. May be used from any thread.
public final class CaptureConnection: Sendable {
    private let port: CaptureInputPort
    private let state = Mutex(CaptureDemand())

    init(port: CaptureInputPort) {
        self.port = port
    }

    /// What the output wants at the moment.
    public var demand: CaptureDemand { state.withLock { $0 } }

    /// Says what the output wants from now on.
    public func setDemand(_ demand: CaptureDemand) {
        let changed = state.withLock { current in
            defer { current = demand }
            return current != demand
        }
        if changed { port.demandDidChange() }
    }
}
