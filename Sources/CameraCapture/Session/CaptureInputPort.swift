public import CameraMedia
import Foundation
import Synchronization

/// The way from an input to the outputs it is connected to.
///
/// The input delivers from one thread at a time; outputs come and go, and the demand changes, on any thread.
public final class CaptureInputPort: Sendable {
    private struct State {
        var sequencer = PortSequencer()
        var connections: [ObjectIdentifier: CaptureConnection] = [:]
    }

    private let state = Mutex(State())
    /// Its lock guards `isClosed`; broadcast when that or a demand changes.
    private let changed = MonotonicCondition()
    private let isClosed = Atomic(true)
    /// The thread that hands something to the outputs at the moment; 0 if none does.
    private let deliverer = Atomic<UInt>(0)
    /// What a person calls the input; its samples carry it.
    private let sourceName: String
    /// Called when the input was set up anew and has to start again; whether the session is to follow its format.
    private let settingsChanged: @Sendable (_ takesPriority: Bool) -> Void

    /// - Parameters:
    ///   - sourceName: What a person calls the input.
    ///   - settingsChanged: Called when the input was set up anew; is passed whether the session is to follow the
    ///     input's format.
    init(sourceName: String, settingsChanged: @escaping @Sendable (_ takesPriority: Bool) -> Void = { _ in }) {
        self.sourceName = sourceName
        self.settingsChanged = settingsChanged
    }

    /// Hands an event to every connected output, in order; ignored unless the port is open.
    ///
    /// No lock is held while an output takes it. An output that is connected later first gets the last format and the
    /// last state.
    public func deliver(_ event: CaptureEvent) {
        var event = event
        if case .sample(var sample) = event, sample.sourceName == nil {
            sample.sourceName = sourceName
            event = .sample(sample)
        }
        if enter(event) { handOut() }
    }

    /// Puts an event in line for ``handOut()``, unless the port is closed.
    func enter(_ event: CaptureEvent) -> Bool {
        state.withLock { $0.sequencer.delivered(event) }
    }

    /// What all connected outputs want together.
    public var demand: CaptureDemand {
        let connections = state.withLock { Array($0.connections.values) }
        return connections.reduce(into: CaptureDemand()) { $0.add($1.effectiveDemand) }
    }

    /// Waits until the demand satisfies `condition`, the deadline passes, or the port is closed.
    ///
    /// - Parameters:
    ///   - deadline: When to return at the latest; `nil`: never.
    ///   - condition: Must neither block nor change a demand.
    /// - Returns: The demand then; `nil` if the port was closed: the input ends.
    public func waitForDemand(
        until deadline: HostTime? = nil, _ condition: (CaptureDemand) -> Bool
    ) -> CaptureDemand? {
        changed.withLock {
            while !isClosed.load(ordering: .relaxed) {
                let demand = self.demand
                if condition(demand) { return demand }
                guard let deadline else {
                    changed.wait()
                    continue
                }
                if HostTime.now() >= deadline { return demand }
                _ = changed.wait(until: deadline)
            }
            return nil
        }
    }

    /// Says that the input was set up anew: it is started again if it runs.
    ///
    /// - Parameter takesPriority: Whether the session's preset becomes ``SessionPreset/inputPriority``.
    package func settingsDidChange(takesPriority: Bool) {
        settingsChanged(takesPriority)
    }

    /// Waits until the deadline passes or the port is closed.
    ///
    /// - Returns: Whether the port is still open.
    public func wait(until deadline: HostTime) -> Bool {
        waitForDemand(until: deadline) { _ in false } != nil
    }
}

// MARK: - For the session

extension CaptureInputPort {
    /// Lets events through, as for an input that starts.
    func open() {
        state.withLock { $0.sequencer.opened() }
        changed.withLock { isClosed.store(false, ordering: .relaxed) }
    }

    /// Lets no more of the input's events through and ends its waits.
    func close() {
        state.withLock { $0.sequencer.closed() }
        changed.withLock {
            isClosed.store(true, ordering: .relaxed)
            changed.broadcast()
        }
    }

    /// Tells the outputs, in order with the input's events, what becomes of an input that does not run.
    func announce(_ newState: CaptureState) {
        state.withLock { $0.sequencer.announced(newState) }
        handOut()
    }

    /// Connects an output; it is told in order with the events, at once unless another thread is delivering.
    func connect(_ output: any CaptureOutput) -> CaptureConnection {
        let connection = CaptureConnection(port: self, output: output)
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            state.sequencer.connected(ObjectIdentifier(connection))
        }
        handOut()
        return connection
    }

    /// Disconnects an output; it is told in order with the events, at once unless another thread is delivering.
    func disconnect(_ connection: CaptureConnection) {
        state.withLock { $0.sequencer.disconnected(ObjectIdentifier(connection)) }
        handOut()
    }

    /// Lets frames through to an output from now on, or no more.
    func enterEnabled(_ isEnabled: Bool, _ connection: CaptureConnection) {
        state.withLock { $0.sequencer.enabled(isEnabled, ObjectIdentifier(connection)) }
    }

    /// Whether an output calls from within its `receive`, `attach` or `detach`.
    var isCalledByOutput: Bool { deliverer.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Judges all waits again: a demand has changed, or what else an input waits for.
    package func demandDidChange() {
        changed.withLock { changed.broadcast() }
    }

    /// Carries out what is due unless another thread is at it, which then does this too.
    func handOut() {
        while true {
            let due: (PortSequencer.Step, [CaptureConnection])? = state.withLock { state in
                guard let step = state.sequencer.next() else { return nil }
                let connections = step.receivers.compactMap { state.connections[$0] }
                if case .detach = step.action { for receiver in step.receivers { state.connections[receiver] = nil } }
                return (step, connections)
            }
            guard let (step, connections) = due else { return }
            deliverer.store(UInt(pthread_self()), ordering: .relaxed)
            for connection in connections {
                switch step.action {
                case .attach: connection.output.attach(to: connection)
                case .receive(let event): connection.output.receive(event, from: connection)
                case .detach:
                    connection.output.detach(from: connection)
                    demandDidChange()
                }
            }
            deliverer.store(0, ordering: .relaxed)
            state.withLock { $0.sequencer.finishedStep() }
        }
    }
}
