/// What a session consists of: a value, of which the session has the one in effect, and while it is being configured
/// another one that is wanted.
struct SessionConfiguration {
    /// An input with its port.
    struct Source {
        let input: any CaptureInput
        let port: CaptureInputPort
    }

    var capture = CaptureConfiguration()
    var source: Source?
    var outputs: [any CaptureOutput] = []
    /// Grows when an input's own settings change, so that it has to start again.
    var inputRevision = 0

    func contains(_ output: any CaptureOutput) -> Bool {
        outputs.contains { $0 === output }
    }
}

/// From a configuration to another one.
struct ConfigurationChange {
    /// What was in effect when the change began.
    let base: SessionConfiguration
    /// What shall be.
    var wanted: SessionConfiguration

    init(from base: SessionConfiguration) {
        self.base = base
        wanted = base
    }

    /// Whether the session has another input then, or none.
    var replacesSource: Bool { wanted.source?.port !== base.source?.port }

    /// Whether a running input has to stop.
    var restartsInput: Bool {
        replacesSource || wanted.capture != base.capture || wanted.inputRevision != base.inputRevision
    }

    /// Makes the change to what is in effect by now, which may differ from what was when the change began.
    ///
    /// - Throws: ``CaptureSessionError`` if another thread has replaced the input meanwhile.
    func merged(into current: SessionConfiguration) throws(CaptureSessionError) -> SessionConfiguration {
        var result = current
        if wanted.capture.preset != base.capture.preset { result.capture.preset = wanted.capture.preset }
        if wanted.capture.frameRate != base.capture.frameRate { result.capture.frameRate = wanted.capture.frameRate }
        result.inputRevision += wanted.inputRevision - base.inputRevision
        if replacesSource {
            guard current.source?.port === base.source?.port else { throw CaptureSessionError(.inputReplaced) }
            result.source = wanted.source
        }
        result.outputs.removeAll { base.contains($0) && !wanted.contains($0) }
        result.outputs += wanted.outputs.filter { !base.contains($0) && !current.contains($0) }
        return result
    }
}
