import Synchronization

// How a change of the configuration takes effect.

/// What has to be joined and parted after a change.
private struct Rewiring {
    /// The connections that go.
    var connections: [CaptureConnection] = []
    /// Where the connections that go come from.
    var oldPort: CaptureInputPort?
    /// The outputs to be connected.
    var outputs: [any CaptureOutput] = []
    /// What they are connected to.
    var newPort: CaptureInputPort?
    /// The input that was removed.
    var removed: SessionConfiguration.Source?
}

extension CaptureSession {
    /// Ends one level of a configuration, and lets it take effect if it was the outermost.
    func commit() throws {
        let change: ConfigurationChange? = state.withLock { state in
            precondition(state.changeDepth > 0, "there was no beginConfiguration()")
            state.changeDepth -= 1
            guard state.changeDepth == 0 else { return nil }
            return state.change.take()
        }
        if let change { try apply(change) }
    }

    /// Lets a change take effect, all of it or nothing.
    func apply(_ change: ConfigurationChange) throws {
        // Outputs come and go even while another thread starts or stops the input.
        guard change.restartsInput else { return rewire(try accept(change)) }
        _ = perform { $0.changeRequested() }
        guard isRunning else {
            defer { finish { $0.changeFinished(isRunning: false) } }
            return rewire(try accept(change))
        }
        try replaceRunningInput(change)
    }

    private func replaceRunningInput(_ change: ConfigurationChange) throws {
        let old = state.withLock { $0.configuration }
        let new: SessionConfiguration
        do {
            new = try change.merged(into: old)
        } catch {
            finish { $0.changeFinished(isRunning: true) }
            throw error
        }
        // First, as two inputs may be two ways to use one device.
        if let source = old.source { stop(source) }
        do {
            try start(new)
        } catch {
            restart(old)
            throw error
        }
        defer { finish { $0.changeFinished(isRunning: true) } }
        if change.replacesSource { old.source?.port.announce(CaptureState(.idle)) }
        rewire(try accept(change))
    }

    /// Lets the session run as it did before a change that failed.
    private func restart(_ configuration: SessionConfiguration) {
        do {
            try start(configuration)
            finish { $0.changeFinished(isRunning: true) }
        } catch {
            eventHub.emit(.runtimeError(error))
            finish(.didStopRunning) { $0.changeFinished(isRunning: false) }
        }
    }

    /// Puts a change into effect, but for the connections.
    private func accept(_ change: ConfigurationChange) throws -> Rewiring {
        try state.withLock { state in
            let old = state.configuration
            let new = try change.merged(into: old)
            state.configuration = new
            SessionMembers.update(self, from: old, to: new)
            var rewiring = Rewiring(oldPort: old.source?.port, newPort: new.source?.port)
            if change.replacesSource {
                rewiring.removed = old.source
                (rewiring.connections, state.connections) = (state.connections, [])
                rewiring.outputs = new.outputs
            } else {
                rewiring.connections = state.connections.filter { !new.contains($0.output) }
                state.connections.removeAll { !new.contains($0.output) }
                rewiring.outputs = new.outputs.filter { !old.contains($0) }
            }
            return rewiring
        }
    }

    private func rewire(_ rewiring: Rewiring) {
        for connection in rewiring.connections { rewiring.oldPort?.disconnect(connection) }
        if let removed = rewiring.removed { removed.input.detach(from: removed.port) }
        guard let port = rewiring.newPort else { return }
        for output in rewiring.outputs { connect(output, to: port) }
    }

    private func connect(_ output: any CaptureOutput, to port: CaptureInputPort) {
        let connection = port.connect(output)
        // The output may have been removed while it was attached.
        let isWanted = state.withLock { state in
            let isWanted = state.configuration.source?.port === port && state.configuration.contains(output)
            if isWanted { state.connections.append(connection) }
            return isWanted
        }
        if !isWanted { port.disconnect(connection) }
    }
}
