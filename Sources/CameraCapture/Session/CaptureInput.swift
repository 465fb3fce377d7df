public import CameraProtocol

/// Where frames come from: a camera, a file, another machine.
public protocol CaptureInput: AnyObject, Sendable {
    /// What a person calls it.
    var localizedName: String { get }

    /// Whether the source can deliver the size that a preset names, or a larger one; true unless implemented.
    ///
    /// A source that cannot may be used with the preset all the same: it delivers what it has.
    func supportsSessionPreset(_ preset: SessionPreset) -> Bool

    /// Whether somebody has chosen the format the source delivers, whatever a session's preset says: a session that the
    /// input is added to gets ``SessionPreset/inputPriority``. False unless implemented.
    var hasActiveFormat: Bool { get }

    /// The input is being added to a session; does nothing unless implemented.
    func attach(to port: CaptureInputPort)

    /// The input was removed from its session, or the session is gone; does nothing unless implemented.
    func detach(from port: CaptureInputPort)

    /// Opens the source and begins to deliver to `port`, on a thread of the input's own.
    ///
    /// Called when the input is not running. Returns once the source is open; a source that can come back by itself
    /// reports later faults as states.
    /// - Throws: Why the source cannot be opened.
    func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws

    /// Ends the delivery and returns when the input's thread is done. May be called when not running.
    ///
    /// The port was closed before: waits for its demand have ended, and what is still delivered goes nowhere.
    func stop()
}

extension CaptureInput {
    /// False.
    public var hasActiveFormat: Bool { false }

    /// True.
    public func supportsSessionPreset(_ preset: SessionPreset) -> Bool { true }

    /// Does nothing.
    public func attach(to port: CaptureInputPort) {}

    /// Does nothing.
    public func detach(from port: CaptureInputPort) {}
}

/// What a session asks of its inputs.
public struct CaptureConfiguration: Sendable, Hashable {
    /// The bound of the size.
    public var preset: SessionPreset
    /// The rate wanted; `nil`: 30, or the most that the device has at any size of the preset.
    public var frameRate: FrameRate?

    /// Creates a configuration.
    public init(preset: SessionPreset = .high, frameRate: FrameRate? = nil) {
        self.preset = preset
        self.frameRate = frameRate
    }
}
