/// What a camera is doing; the raw value is the byte on the wire.
public enum CameraState: UInt8, Sendable, Hashable, CaseIterable {
    /// Not capturing, because nobody watches.
    case idle = 0
    /// Being opened.
    case starting = 1
    /// Capturing.
    case running = 2
    /// Not capturing because of a fault; comes back by itself.
    case interrupted = 3
    /// There will be no more frames.
    case ended = 4

    /// The name used in logs and JSON.
    public var name: String {
        switch self {
        case .idle: "idle"
        case .starting: "starting"
        case .running: "running"
        case .interrupted: "interrupted"
        case .ended: "ended"
        }
    }
}

/// Why a camera is interrupted or ended; the raw value is the byte on the wire.
public enum StateReason: UInt8, Sendable, Hashable, CaseIterable {
    /// Nothing to say.
    case none = 0
    /// The last frame was delivered.
    case endOfFile = 1
    /// The input was cut short or cannot be decoded.
    case corrupt = 2
    /// Another program holds the device.
    case inUseByAnotherClient = 3
    /// The device is gone.
    case disconnected = 4
    /// The device delivers no frames.
    case stalled = 5
    /// The device reported an error.
    case deviceError = 6
    /// The device may not be opened.
    case permissionDenied = 7
    /// No signal at the device's input.
    case noSignal = 8
    /// The device does not have the wanted format.
    case unsupportedFormat = 9

    /// The name used in logs and JSON.
    public var name: String {
        switch self {
        case .none: "none"
        case .endOfFile: "endOfFile"
        case .corrupt: "corrupt"
        case .inUseByAnotherClient: "inUseByAnotherClient"
        case .disconnected: "disconnected"
        case .stalled: "stalled"
        case .deviceError: "deviceError"
        case .permissionDenied: "permissionDenied"
        case .noSignal: "noSignal"
        case .unsupportedFormat: "unsupportedFormat"
        }
    }
}
