public import Dispatch
import Synchronization

/// Brings frames from an input to any number of outputs.
///
///     let session = CaptureSession()
///     session.sessionPreset = .medium
///     session.addInput(try CaptureDeviceInput(device: device))
///     session.addOutput(output)
///     session.startRunning()
///
/// May be used from any thread, running or not. A session without a reference stops and lets go of its input and
/// outputs.
public final class CaptureSession: Sendable {
    struct State {
        /// What is in effect.
        var configuration = SessionConfiguration()
        var connections: [CaptureConnection] = []
        var lifecycle = CaptureLifecycle()
        /// What is being configured, from the first ``CaptureSession/beginConfiguration()`` to the last
        /// ``CaptureSession/commitConfiguration()``.
        var change: ConfigurationChange?
        var changeDepth = 0

        /// What is in effect, or will be.
        var wanted: SessionConfiguration { change?.wanted ?? configuration }
    }

    let state = Mutex(State())
    let eventHub = SessionEvents()
    /// Broadcast at the end of a start, a stop or a change of the input.
    private let settled = MonotonicCondition()

    /// Creates a session without input and outputs.
    public init() {
        eventHub.setSession(self)
    }

    deinit {
        stopNow()
        let (configuration, connections) = state.withLock { ($0.configuration, $0.connections) }
        SessionMembers.update(self, from: configuration, to: SessionConfiguration())
        if let source = configuration.source {
            for connection in connections { source.port.disconnect(connection) }
            source.input.detach(from: source.port)
        }
        eventHub.finish()
    }
}

// MARK: - Life cycle

extension CaptureSession {
    /// Whether the session was started and not stopped since; stays true while the input is interrupted.
    public var isRunning: Bool { state.withLock { $0.lifecycle.isRunning } }

    /// Opens the input and lets it deliver; returns when it is open. Does nothing if the session runs.
    ///
    /// If the input cannot be opened, the session does not run then, and ``Event/runtimeError(_:)`` says why;
    /// ``start()`` throws it instead. A start survives an interruption: when the device comes back, the session runs on.
    /// Blocks while the device is opened, which may take a second or more.
    public func startRunning() {
        do { try start() } catch { eventHub.emit(.runtimeError(error)) }
    }

    /// Like ``startRunning()``, for those who want to be told at once why the session cannot run.
    ///
    /// - Throws: Why the input cannot be opened, for most inputs a ``CaptureInputError``; the session does not run then.
    public func start() throws {
        guard perform({ $0.startRequested() }) else { return }
        let configuration = state.withLock { $0.configuration }
        do {
            try start(configuration)
        } catch {
            finish { $0.startFinished(succeeded: false) }
            throw error
        }
        finish(.didStartRunning) { $0.startFinished(succeeded: true) }
    }

    /// Ends the delivery and closes the input; returns when it is closed. Does nothing if the session does not run.
    ///
    /// Blocks until the input's thread is done, but never waits for a delegate's queue, so that a delegate may call it.
    public func stopRunning() {
        let source = state.withLock { $0.configuration.source }
        if let source, source.port.isCalledByOutput {
            // The input's thread cannot wait for itself.
            DispatchQueue.global().async { self.stopNow() }
        } else {
            stopNow()
        }
    }

    private func stopNow() {
        guard perform({ $0.stopRequested() }) else { return }
        if let source = state.withLock({ $0.configuration.source }) {
            stop(source)
            source.port.announce(CaptureState(.idle))
        }
        finish(.didStopRunning) { $0.stopFinished() }
    }
}

// MARK: - Events

extension CaptureSession {
    /// Whether the session runs, but its input delivers nothing at the moment: its device was unplugged, stalls or is
    /// used by another program.
    public var isInterrupted: Bool { eventHub.isInterrupted }

    /// What happens to the session from now on, until nobody refers to it any more.
    ///
    ///     for await event in session.events { print(event) }
    ///
    /// Everybody who asks gets a sequence of their own, which does not keep the session alive. Who iterates so slowly
    /// that 64 events wait loses the oldest.
    public var events: AsyncStream<Event> { eventHub.makeStream() }

    /// Says who is told what happens to the session.
    ///
    /// - Parameters:
    ///   - delegate: The session does not keep it alive; `nil`: nobody.
    ///   - queue: A serial queue, on which alone the delegate is called; `nil`: one of the session's own.
    public func setDelegate(_ delegate: (any CaptureSessionDelegate)?, queue: DispatchQueue? = nil) {
        eventHub.setDelegate(delegate, queue: queue)
    }
}

// MARK: - One after the other

extension CaptureSession {
    /// Waits until no other thread changes what the request is about.
    ///
    /// - Returns: Whether this thread has to do it, and to ``finish(_:_:)`` it.
    func perform(_ request: (inout CaptureLifecycle) -> CaptureLifecycle.Action) -> Bool {
        settled.withLock {
            while true {
                switch state.withLock({ request(&$0.lifecycle) }) {
                case .perform: return true
                case .none: return false
                case .wait: settled.wait()
                }
            }
        }
    }

    /// Lets others go on; events come in the order in which things happened.
    func finish(_ event: Event? = nil, _ transition: (inout CaptureLifecycle) -> Void) {
        settled.withLock {
            state.withLock { transition(&$0.lifecycle) }
            if let event { eventHub.emit(event) }
            settled.broadcast()
        }
    }

    /// Starts the input of a configuration, if it has one.
    func start(_ configuration: SessionConfiguration) throws {
        guard let source = configuration.source else { return }
        source.port.announce(CaptureState(.starting))
        source.port.open()
        do {
            try source.input.start(configuration.capture, port: source.port)
        } catch {
            source.port.close()
            source.port.announce(CaptureState(.idle))
            throw error
        }
    }

    /// Stops an input; its outputs are not told.
    func stop(_ source: SessionConfiguration.Source) {
        source.port.close()
        source.input.stop()
    }
}
