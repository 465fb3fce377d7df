public import CameraProtocol
import Synchronization

// MARK: - Several changes at once

extension CaptureSession {
    /// Begins several changes that take effect together, with ``commitConfiguration()``.
    ///
    /// Pairs of the two may be nested; the outermost counts. Until then the session's properties say what will be.
    public func beginConfiguration() {
        state.withLock { state in
            state.changeDepth += 1
            if state.change == nil { state.change = ConfigurationChange(from: state.configuration) }
        }
    }

    /// Lets all changes since ``beginConfiguration()`` take effect; a running input is started again at most once.
    ///
    /// If a running session's input cannot be started as it shall be, everything becomes as it was before, and
    /// ``Event/runtimeError(_:)`` says why; ``configure(_:)`` throws it instead. Only if the input cannot be started
    /// as it was either does the session stop.
    /// - Precondition: ``beginConfiguration()`` was called as often before.
    public func commitConfiguration() {
        do { try commit() } catch { eventHub.emit(.runtimeError(error)) }
    }

    /// Makes several changes that take effect together, or none of them.
    ///
    ///     try session.configure {
    ///         session.sessionPreset = .low
    ///         session.addOutput(output)
    ///     }
    ///
    /// - Parameter changes: Changes the session; when it throws, everything stays as it was.
    /// - Throws: What `changes` throws, or why a running session's input cannot be started as it shall be; everything is
    ///   as it was then. Only if the input cannot be started as it was either does the session stop.
    public func configure(_ changes: () throws -> Void) throws {
        let before = state.withLock { $0.change?.wanted }
        beginConfiguration()
        do {
            try changes()
        } catch {
            state.withLock { state in
                if let before { state.change?.wanted = before } else { state.change = nil }
                state.changeDepth -= 1
            }
            throw error
        }
        try commit()
    }
}

// MARK: - Settings

extension CaptureSession {
    /// The bound of the captured size, ``SessionPreset/high`` unless set. Any preset may be set: a source that does not
    /// reach its size delivers what it has. A running input starts again.
    public var sessionPreset: SessionPreset {
        get { state.withLock { $0.wanted.capture.preset } }
        set { change { $0.capture.preset = newValue } }
    }

    /// Whether the input can deliver the size that a preset names, or a larger one; true without an input, and for
    /// presets that name no size: photo, high, medium, low and inputPriority.
    public func canSetSessionPreset(_ preset: SessionPreset) -> Bool {
        state.withLock { $0.wanted.source?.input }?.supportsSessionPreset(preset) ?? true
    }

    /// The rate to capture at; `nil`, the default: 30 frames a second, or the most that the device has at any size of
    /// the preset. A running input starts again.
    public var frameRate: FrameRate? {
        get { state.withLock { $0.wanted.capture.frameRate } }
        set { change { $0.capture.frameRate = newValue } }
    }
}

// MARK: - Inputs and outputs

extension CaptureSession {
    /// The inputs of the session, at most one.
    public var inputs: [any CaptureInput] { state.withLock { $0.wanted.source.map { [$0.input] } ?? [] } }

    /// The outputs of the session, in the order they were added.
    public var outputs: [any CaptureOutput] { state.withLock { $0.wanted.outputs } }

    /// What joins the input and the outputs that are in effect, in the order in which they were joined.
    public var connections: [CaptureConnection] { state.withLock { $0.connections } }

    /// Whether ``addInput(_:)`` may be called: the session has no input yet, nor has another session this one.
    public func canAddInput(_ input: any CaptureInput) -> Bool {
        state.withLock { $0.wanted.source == nil } && SessionMembers.isFree(input, for: self)
    }

    /// Adds an input and connects it to all outputs; if the session runs, the input is started.
    ///
    /// - Precondition: ``canAddInput(_:)``.
    public func addInput(_ input: any CaptureInput) {
        precondition(
            SessionMembers.isFree(input, for: self), "another session has the input; remove it there first")
        let port = makePort(for: input)
        input.attach(to: port)
        let takesPriority = input.hasActiveFormat
        change { configuration in
            precondition(configuration.source == nil, "a session has one input; remove the other one first")
            configuration.source = SessionConfiguration.Source(input: input, port: port)
            if takesPriority { configuration.capture.preset = .inputPriority }
        }
    }

    /// Removes the input, after stopping it if the session runs; does nothing if the session does not have it.
    public func removeInput(_ input: any CaptureInput) {
        change { configuration in
            if configuration.source?.input === input { configuration.source = nil }
        }
    }

    /// Whether ``addOutput(_:)`` may be called: neither this nor another session has the output.
    public func canAddOutput(_ output: any CaptureOutput) -> Bool {
        state.withLock { !$0.wanted.contains(output) } && SessionMembers.isFree(output, for: self)
    }

    /// Adds an output and connects it to the input; a running input goes on meanwhile.
    ///
    /// - Precondition: ``canAddOutput(_:)``.
    public func addOutput(_ output: any CaptureOutput) {
        precondition(
            SessionMembers.isFree(output, for: self), "another session has the output; remove it there first")
        change { configuration in
            precondition(!configuration.contains(output), "the session has the output already")
            configuration.outputs.append(output)
        }
    }

    /// Removes an output; does nothing if the session does not have it. A running input goes on: an event that is just
    /// being delivered is, and then the output is told that it was detached.
    public func removeOutput(_ output: any CaptureOutput) {
        change { $0.outputs.removeAll { $0 === output } }
    }

    private func makePort(for input: any CaptureInput) -> CaptureInputPort {
        let port = CaptureInputPort(sourceName: input.localizedName) { [weak self] takesPriority in
            self?.change { configuration in
                guard configuration.source?.input === input else { return }
                if takesPriority { configuration.capture.preset = .inputPriority }
                configuration.inputRevision += 1
            }
        }
        _ = port.connect(InputMonitor(eventHub))
        return port
    }

    /// Makes one change, on its own or together with others that are being made.
    private func change(_ body: (inout SessionConfiguration) -> Void) {
        let change: ConfigurationChange? = state.withLock { state in
            var change = state.change ?? ConfigurationChange(from: state.configuration)
            body(&change.wanted)
            guard state.changeDepth > 0 else { return change }
            state.change = change
            return nil
        }
        do {
            if let change { try apply(change) }
        } catch {
            eventHub.emit(.runtimeError(error))
        }
    }
}
