import Synchronization

/// Joins an input and an output of a session. May be used from any thread.
public final class CaptureConnection: Sendable {
    /// The port holds its connections, not the other way round.
    private weak let port: CaptureInputPort?
    private let state = Mutex(CaptureDemand())

    /// Where the input's events go.
    let output: any CaptureOutput

    init(port: CaptureInputPort, output: any CaptureOutput) {
        self.port = port
        self.output = output
    }

    /// What the output wants at the moment.
    public var demand: CaptureDemand { state.withLock { $0 } }

    /// Says what the output wants from now on.
    public func setDemand(_ demand: CaptureDemand) {
        let changed = state.withLock { current in
            defer { current = demand }
            return current != demand
        }
        if changed { port?.demandDidChange() }
    }
}
