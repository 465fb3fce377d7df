public import CameraProtocol
import Synchronization

/// Brings frames from an input to any number of outputs.
///
/// May be used from any thread. What the session asks of its input (``sessionPreset``, ``frameRate``) counts when it
/// starts; outputs may come and go at any time.
public final class CaptureSession: Sendable {
    private struct Source {
        let input: any CaptureInput
        let port: CaptureInputPort
    }

    private struct Configuration {
        var capture = CaptureConfiguration()
        var source: Source?
        var outputs: [any CaptureOutput] = []
        var connections: [CaptureConnection] = []
        var lifecycle = CaptureLifecycle()
    }

    private let configuration = Mutex(Configuration())
    /// Broadcast at the end of a start or a stop.
    private let settled = MonotonicCondition()

    /// Creates a session without input and outputs.
    public init() {}

    deinit {
        stopRunning()
        for output in configuration.withLock({ $0.outputs }) { removeOutput(output) }
    }
}

// MARK: - Configuration

extension CaptureSession {
    /// The bound of the captured size, ``SessionPreset/high`` unless set; counts from the next start on.
    public var sessionPreset: SessionPreset {
        get { configuration.withLock { $0.capture.preset } }
        set { configuration.withLock { $0.capture.preset = newValue } }
    }

    /// The rate to capture at; `nil`, the default: 30 frames a second, or the most that the device has at any size of
    /// the preset. Counts from the next start on.
    public var frameRate: FrameRate? {
        get { configuration.withLock { $0.capture.frameRate } }
        set { configuration.withLock { $0.capture.frameRate = newValue } }
    }

    /// The inputs of the session, at most one.
    public var inputs: [any CaptureInput] { configuration.withLock { $0.source.map { [$0.input] } ?? [] } }

    /// The outputs of the session, in the order they were added.
    public var outputs: [any CaptureOutput] { configuration.withLock { $0.outputs } }

    /// Whether ``addInput(_:)`` may be called: the session has no input yet.
    public func canAddInput(_ input: any CaptureInput) -> Bool {
        configuration.withLock { $0.source == nil && $0.lifecycle.isStopped }
    }

    /// Adds an input and connects it to all outputs.
    ///
    /// - Precondition: ``canAddInput(_:)``.
    public func addInput(_ input: any CaptureInput) {
        let port = CaptureInputPort()
        let outputs: [any CaptureOutput]? = configuration.withLock { configuration in
            guard configuration.source == nil, configuration.lifecycle.isStopped else { return nil }
            configuration.source = Source(input: input, port: port)
            return configuration.outputs
        }
        guard let outputs else { preconditionFailure("the session has an input already, or runs") }
        for output in outputs { connect(output, to: port) }
    }

    /// Removes the input; does nothing if the session does not have it.
    ///
    /// - Precondition: The session does not run.
    public func removeInput(_ input: any CaptureInput) {
        let removed: (CaptureInputPort, [CaptureConnection])? = configuration.withLock { configuration in
            guard let source = configuration.source, source.input === input else { return nil }
            precondition(configuration.lifecycle.isStopped, "the session runs")
            defer { (configuration.source, configuration.connections) = (nil, []) }
            return (source.port, configuration.connections)
        }
        guard let (port, connections) = removed else { return }
        for connection in connections { port.disconnect(connection) }
    }

    /// Whether ``addOutput(_:)`` may be called: the session does not have the output yet.
    public func canAddOutput(_ output: any CaptureOutput) -> Bool {
        configuration.withLock { !$0.outputs.contains { $0 === output } }
    }

    /// Adds an output and connects it to the input; the session may run.
    ///
    /// - Precondition: ``canAddOutput(_:)``.
    public func addOutput(_ output: any CaptureOutput) {
        let port = configuration.withLock { configuration in
            precondition(!configuration.outputs.contains { $0 === output }, "the session has the output already")
            configuration.outputs.append(output)
            return configuration.source?.port
        }
        if let port { connect(output, to: port) }
    }

    /// Removes an output; does nothing if the session does not have it. The session may run: an event that is just
    /// being delivered is, and then the output is told that it was detached.
    public func removeOutput(_ output: any CaptureOutput) {
        let removed: (CaptureInputPort, CaptureConnection)? = configuration.withLock { configuration in
            guard let index = configuration.outputs.firstIndex(where: { $0 === output }) else { return nil }
            configuration.outputs.remove(at: index)
            guard let port = configuration.source?.port,
                let index = configuration.connections.firstIndex(where: { $0.output === output })
            else { return nil }
            return (port, configuration.connections.remove(at: index))
        }
        if let (port, connection) = removed { port.disconnect(connection) }
    }

    private func connect(_ output: any CaptureOutput, to port: CaptureInputPort) {
        let connection = port.connect(output)
        // The output may have been removed while it was attached.
        let isWanted = configuration.withLock { configuration in
            let isWanted =
                configuration.source?.port === port && configuration.outputs.contains { $0 === output }
            if isWanted { configuration.connections.append(connection) }
            return isWanted
        }
        if !isWanted { port.disconnect(connection) }
    }
}

// MARK: - Life cycle

extension CaptureSession {
    /// Whether the session was started and not stopped since; stays true while the input is interrupted.
    public var isRunning: Bool { configuration.withLock { $0.lifecycle.isRunning } }

    /// Opens the input and lets it deliver; returns when it is open. Does nothing if the session runs.
    ///
    /// A start survives an interruption: when the device comes back, the session runs on.
    /// - Throws: Why the input cannot be opened; the session is stopped then.
    public func startRunning() throws {
        guard perform({ $0.startRequested() }) else { return }
        let (source, capture) = configuration.withLock { ($0.source, $0.capture) }
        do {
            if let source { try start(source, capture) }
        } catch {
            finish { $0.startFinished(succeeded: false) }
            throw error
        }
        finish { $0.startFinished(succeeded: true) }
    }

    /// Ends the delivery and closes the input; returns when it is closed. Does nothing if the session does not run.
    ///
    /// Must not be called by an output while it receives an event.
    public func stopRunning() {
        guard perform({ $0.stopRequested() }) else { return }
        if let source = configuration.withLock({ $0.source }) {
            source.port.close()
            source.input.stop()
            source.port.announce(CaptureState(.idle))
        }
        finish { $0.stopFinished() }
    }

    private func start(_ source: Source, _ capture: CaptureConfiguration) throws {
        source.port.announce(CaptureState(.starting))
        source.port.open()
        do {
            try source.input.start(capture, port: source.port)
        } catch {
            source.port.close()
            source.port.announce(CaptureState(.idle))
            throw error
        }
    }

    /// Waits until no other thread changes what the request is about.
    ///
    /// - Returns: Whether this thread has to do it.
    private func perform(_ request: (inout CaptureLifecycle) -> CaptureLifecycle.Action) -> Bool {
        settled.withLock {
            while true {
                switch configuration.withLock({ request(&$0.lifecycle) }) {
                case .perform: return true
                case .none: return false
                case .wait: settled.wait()
                }
            }
        }
    }

    private func finish(_ event: (inout CaptureLifecycle) -> Void) {
        settled.withLock {
            configuration.withLock { event(&$0.lifecycle) }
            settled.broadcast()
        }
    }
}
