import CameraCapture

/// How a device is set up: a value without locks.
struct DeviceConfiguration {
    /// What those who use the device have to know after a change.
    enum Change {
        /// Frame durations.
        case durations
        /// The active format, which takes priority over a session's preset.
        case format
    }

    /// Names the device in errors.
    let subject: String
    let formats: [CaptureDevice.Format]
    /// The format that was asked for; `nil`: a session's preset decides.
    private(set) var chosenFormat: CaptureDevice.Format?
    /// The format that was last in use, or will be unless somebody asks for another.
    private(set) var defaultFormat: CaptureDevice.Format?
    /// The shortest interval that was asked for; `nil`: the default.
    private(set) var minFrameDuration: FrameDuration?
    /// The longest interval that was asked for; `nil`: the default.
    private(set) var maxFrameDuration: FrameDuration?
    private var lockCount = 0
    private var pendingChange: Change?
    /// Told about changes.
    private var observers: [ObjectIdentifier: Observer] = [:]

    private struct Observer {
        weak var port: CaptureInputPort?
    }

    init(subject: String, formats: [CaptureDevice.Format]) {
        self.subject = subject
        self.formats = formats
    }

    var activeFormat: CaptureDevice.Format? { chosenFormat ?? defaultFormat }

    // MARK: Observers

    mutating func add(_ port: CaptureInputPort) {
        observers = observers.filter { $1.port != nil }
        observers[ObjectIdentifier(port)] = Observer(port: port)
    }

    /// A session lets go of the device: the next one's preset counts again.
    mutating func remove(_ port: CaptureInputPort) {
        observers[ObjectIdentifier(port)] = nil
        chosenFormat = nil
    }

    // MARK: Changes

    mutating func lock() {
        lockCount += 1
    }

    /// - Returns: Who has to know of what was changed since the first lock.
    mutating func unlock() -> (Change, [CaptureInputPort])? {
        guard lockCount > 0 else { return nil }
        lockCount -= 1
        guard lockCount == 0, let change = pendingChange.take() else { return nil }
        return (change, observers.values.compactMap(\.port))
    }

    mutating func setFormat(_ format: CaptureDevice.Format) throws(CaptureInputError) {
        try checkLock()
        guard formats.contains(format) else {
            throw CaptureInputError(
                .unsupportedFormat, subject: subject, reason: "it does not have the format \(format)",
                remedy: "choose one of the device's formats")
        }
        guard format != chosenFormat else { return }
        // Durations of another format may be out of this one's range.
        (chosenFormat, minFrameDuration, maxFrameDuration) = (format, nil, nil)
        pendingChange = .format
    }

    mutating func setMinFrameDuration(_ duration: FrameDuration?) throws(CaptureInputError) {
        try check(duration)
        if let duration, let longest = maxFrameDuration, duration.frameRate < longest.frameRate {
            throw CaptureInputError(
                .unsupportedFormat, subject: subject,
                reason: "a frame lasts at most \(longest.text), which is less than \(duration.text)",
                remedy: "set the longest duration first")
        }
        guard duration != minFrameDuration else { return }
        minFrameDuration = duration
        pendingChange = pendingChange ?? .durations
    }

    mutating func setMaxFrameDuration(_ duration: FrameDuration?) throws(CaptureInputError) {
        try check(duration)
        if let duration, let shortest = minFrameDuration, duration.frameRate > shortest.frameRate {
            throw CaptureInputError(
                .unsupportedFormat, subject: subject,
                reason: "a frame lasts at least \(shortest.text), which is more than \(duration.text)",
                remedy: "set the shortest duration first")
        }
        guard duration != maxFrameDuration else { return }
        maxFrameDuration = duration
        pendingChange = pendingChange ?? .durations
    }

    private func check(_ duration: FrameDuration?) throws(CaptureInputError) {
        try checkLock()
        guard let duration, let format = activeFormat, !format.supports(duration.frameRate) else { return }
        throw CaptureInputError(
            .unsupportedFormat, subject: subject,
            reason: "a frame duration of \(duration.text) is out of the range of its format \(format)",
            remedy: "see the format's videoSupportedFrameRateRanges")
    }

    private func checkLock() throws(CaptureInputError) {
        guard lockCount == 0 else { return }
        throw CaptureInputError(
            .notLocked, subject: subject, reason: "it is not locked for configuration",
            remedy: "call lockForConfiguration() first, and unlockForConfiguration() afterwards")
    }

    // MARK: Use

    /// A session is about to capture, and its preset decides about the format.
    mutating func presetChose(_ format: CaptureDevice.Format?) {
        chosenFormat = nil
        defaultFormat = format ?? defaultFormat
    }

    /// The rate to capture at.
    ///
    /// - Parameters:
    ///   - wanted: What the session asks for.
    ///   - format: The format that is captured.
    func frameRate(wanted: FrameRate?, in format: CaptureDevice.Format?) -> FrameRate? {
        guard minFrameDuration != nil || maxFrameDuration != nil else { return wanted }
        var rate = wanted ?? .thirty
        if let minFrameDuration {
            rate = wanted.map { min($0, minFrameDuration.frameRate) } ?? minFrameDuration.frameRate
        }
        if let maxFrameDuration { rate = max(rate, maxFrameDuration.frameRate) }
        return format?.highestRate(upTo: rate) ?? rate
    }
}

extension FrameDuration {
    /// For a person.
    fileprivate var text: String { "\(frameRate.denominator)/\(frameRate.numerator) s" }
}
