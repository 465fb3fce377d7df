/// The eight bytes before each message's body.
struct MessageHeader {
    /// Bytes of the body.
    var length: UInt32
    /// A ``MessageType``, or one of a newer minor version.
    var type: UInt8
    /// Bits of ``FrameFlag`` in a frame; 0 in all other messages.
    var flags: UInt8
    /// The stream; 0 for the connection.
    var stream: StreamID

    /// The bytes of a header.
    static let byteCount = 8
}

/// The flag bits of a frame's header.
enum FrameFlag {
    /// The frame was given to a member of a group that died with it.
    static let redelivered: UInt8 = 0x01
}

/// One of the two ends of a connection.
public enum Side: Sendable, Hashable {
    /// The side that has cameras.
    case server
    /// The side that watches them.
    case client
}

extension MessageType {
    /// Whether `side` may get this message.
    func isReceived(by side: Side) -> Bool {
        switch self {
        case .hello, .subscribe, .update, .unsubscribe, .credit, .acknowledge, .listControls, .getControl,
            .setControl:
            side == .server
        case .welcome, .subscribed, .unsubscribed, .frame, .status, .controls, .controlValue: side == .client
        case .ping, .pong, .error, .bye: true
        }
    }

    /// Whether this message may have `stream` in its header.
    func isAllowed(on stream: StreamID) -> Bool {
        switch self {
        case .subscribe, .subscribed, .update, .unsubscribe, .unsubscribed, .frame, .credit, .acknowledge:
            stream != 0
        case .hello, .welcome, .ping, .pong, .listControls, .controls, .getControl, .setControl, .controlValue,
            .bye:
            stream == 0
        case .status, .error: true
        }
    }

    /// The flag bits that have a meaning in this message's header.
    var knownFlags: UInt8 {
        self == .frame ? FrameFlag.redelivered : 0
    }
}
