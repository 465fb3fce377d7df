/// Asks the peer for the time.
public struct Ping: Sendable, Hashable {
    /// The sender's monotonic clock when it sent this, nanoseconds.
    public var originate: UInt64

    /// Creates a ping.
    public init(originate: UInt64) { self.originate = originate }
}

/// Answers a ping; with the time of arrival these are the four time stamps of NTP (RFC 5905, 8).
public struct Pong: Sendable, Hashable {
    /// The ping's `originate`, unchanged.
    public var originate: UInt64
    /// The answering side's monotonic clock when the ping came, nanoseconds.
    public var receive: UInt64
    /// The answering side's monotonic clock when it sent this, nanoseconds.
    public var transmit: UInt64

    /// Creates a pong.
    public init(originate: UInt64, receive: UInt64, transmit: UInt64) {
        self.originate = originate
        self.receive = receive
        self.transmit = transmit
    }
}

/// What a camera does, in order with the frames of the stream it is sent on.
public struct CameraStatus: Sendable, Hashable {
    /// The camera's name.
    public var camera: String
    /// What it does.
    public var state: CameraState
    /// Why.
    public var reason: StateReason
    /// A sentence for a person; may be empty.
    public var text: String
    /// What was dropped since the stream's last frame.
    public var drops: DropCounts

    /// Creates a status.
    public init(
        camera: String, state: CameraState, reason: StateReason = .none, text: String = "",
        drops: DropCounts = DropCounts()
    ) {
        self.camera = camera
        self.state = state
        self.reason = reason
        self.text = text
        self.drops = drops
    }
}

/// Something went wrong, on the stream of the header or on the connection.
public struct Failure: Sendable, Hashable {
    /// What.
    public var code: ErrorCode
    /// Whether the connection ends with it.
    public var closesConnection: Bool
    /// A sentence for a person.
    public var text: String

    /// Creates a failure.
    public init(code: ErrorCode, closesConnection: Bool, text: String) {
        self.code = code
        self.closesConnection = closesConnection
        self.text = text
    }
}

/// The last message of a side.
public struct Bye: Sendable, Hashable {
    /// Why.
    public var code: ErrorCode
    /// A sentence for a person; may be empty.
    public var text: String

    /// Creates a bye.
    public init(code: ErrorCode = .none, text: String = "") {
        self.code = code
        self.text = text
    }
}
