public import CameraCapture
import Synchronization

extension CaptureDevice {
    /// Allows the device to be set up, until ``unlockForConfiguration()``.
    ///
    ///     try device.lockForConfiguration()
    ///     defer { device.unlockForConfiguration() }
    ///     try device.setActiveVideoMinFrameDuration(FrameDuration(1, 15))
    ///
    /// Pairs of the two may be nested.
    /// - Throws: ``CaptureInputError`` if the device is gone.
    public func lockForConfiguration() throws(CaptureInputError) {
        guard isConnected else {
            throw CaptureInputError(
                .notFound, subject: path, reason: "the device is gone", remedy: "plug it in again")
        }
        configuration.withLock { $0.lock() }
    }

    /// Lets the changes since ``lockForConfiguration()`` take effect.
    ///
    /// A session that captures from the device starts it again, once, and blocks this call meanwhile; if it cannot, the
    /// session's ``CaptureSession/Event/runtimeError(_:)`` says why. After a change of ``activeFormat`` the session's
    /// preset is ``SessionPreset/inputPriority``.
    public func unlockForConfiguration() {
        guard let (change, ports) = configuration.withLock({ $0.unlock() }) else { return }
        for port in ports { port.settingsDidChange(takesPriority: change == .format) }
    }

    /// The format that is captured, or that will be; `nil` only if the device has no format that can be captured.
    ///
    /// A session's preset decides unless ``setActiveFormat(_:)`` did since.
    public var activeFormat: Format? {
        @available(
            *, unavailable, message: "use 'try setActiveFormat(_:)', which throws if the device lacks the format"
        )
        set {}
        get { configuration.withLock(\.activeFormat) ?? preferredFormat(for: CaptureConfiguration()) }
    }

    /// Captures in a format of the device, whatever the session's preset says: that becomes
    /// ``SessionPreset/inputPriority``. Frame durations get their defaults again.
    ///
    /// Counts until the session's preset is set, or the device's input is removed from its session.
    /// - Throws: ``CaptureInputError`` if the format is none of ``formats``, or the device is not locked for
    ///   configuration; nothing changes then.
    public func setActiveFormat(_ format: Format) throws(CaptureInputError) {
        try configuration.withLock { configuration throws(CaptureInputError) in
            try configuration.setFormat(format)
        }
    }

    /// The shortest time from one frame to the next: a cap of the rate. A thirtieth of a second unless set, or what the
    /// active format has nearest to it.
    public var activeVideoMinFrameDuration: FrameDuration {
        @available(*, unavailable, message: "use 'try setActiveVideoMinFrameDuration(_:)', which checks the range")
        set {}
        get {
            configuration.withLock(\.minFrameDuration)
                ?? FrameDuration(activeFormat?.highestRate(upTo: .thirty) ?? .thirty)
        }
    }

    /// The longest time from one frame to the next: a floor of the rate. What the active format has unless set.
    public var activeVideoMaxFrameDuration: FrameDuration {
        @available(*, unavailable, message: "use 'try setActiveVideoMaxFrameDuration(_:)', which checks the range")
        set {}
        get {
            configuration.withLock(\.maxFrameDuration)
                ?? activeFormat?.videoSupportedFrameRateRanges.map(\.minFrameRate).min().map { FrameDuration($0) }
                ?? activeVideoMinFrameDuration
        }
    }

    /// Caps the rate. The device captures at the highest rate it has that is not above the cap; where a session's
    /// ``CaptureSession/frameRate`` is lower, that counts.
    ///
    /// Counts until it is set again or another active format is set, whatever the session's preset.
    /// - Parameter duration: The shortest time from one frame to the next; `nil`: the default.
    /// - Throws: ``CaptureInputError`` if the duration is out of the active format's range or longer than the longest
    ///   one, or the device is not locked for configuration; nothing changes then.
    public func setActiveVideoMinFrameDuration(_ duration: FrameDuration?) throws(CaptureInputError) {
        try setUp { configuration throws(CaptureInputError) in try configuration.setMinFrameDuration(duration) }
    }

    /// Sets a floor to the rate that the device is asked for; in the dark a camera may still be slower.
    ///
    /// Counts until it is set again or another active format is set, whatever the session's preset.
    /// - Parameter duration: The longest time from one frame to the next; `nil`: the default.
    /// - Throws: ``CaptureInputError`` if the duration is out of the active format's range or shorter than the shortest
    ///   one, or the device is not locked for configuration; nothing changes then.
    public func setActiveVideoMaxFrameDuration(_ duration: FrameDuration?) throws(CaptureInputError) {
        try setUp { configuration throws(CaptureInputError) in try configuration.setMaxFrameDuration(duration) }
    }

    private func setUp(
        _ body: (inout DeviceConfiguration) throws(CaptureInputError) -> Void
    ) throws(CaptureInputError) {
        let preferred = preferredFormat(for: CaptureConfiguration())
        try configuration.withLock { configuration throws(CaptureInputError) in
            if configuration.activeFormat == nil { configuration.presetChose(preferred) }
            try body(&configuration)
        }
    }

    /// The format that is captured for what a session asks for; `nil` if its preset is inputPriority, or the device
    /// has none.
    func preferredFormat(for configuration: CaptureConfiguration) -> Format? {
        guard configuration.preset != .inputPriority else { return nil }
        if deviceType == .testPattern {
            let size = TestPatternInput.size(for: configuration.preset)
            return formats.first { $0.size == size } ?? formats.first
        }
        guard
            let choice = V4L2FormatChoice.choose(
                from: capabilities, bound: configuration.preset.maximumSize, rate: configuration.frameRate)
        else { return nil }
        return formats.first { $0.fourCC == choice.fourCC && $0.size == choice.size }
            ?? formats.first { $0.fourCC == choice.fourCC }
    }
}
