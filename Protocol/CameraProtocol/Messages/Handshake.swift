/// The client's first message: who it is and what it takes.
public struct Hello: Sendable, Hashable {
    /// The client's name, for the server's log.
    public var name: String
    /// The most bytes in the body of a frame that the client takes, at most ``Limits/frameByteCount``.
    public var maximumFrameByteCount: UInt32
    /// The codecs the client can decode.
    public var codecs: [ImageCodec]

    /// Creates a hello.
    public init(name: String, maximumFrameByteCount: UInt32, codecs: [ImageCodec]) {
        self.name = name
        self.maximumFrameByteCount = maximumFrameByteCount
        self.codecs = codecs
    }
}

/// The server's first message: who it is, what it can send, and its cameras.
public struct Welcome: Sendable, Hashable {
    /// The server's name, for the client's log.
    public var name: String
    /// The most bytes in the body of a frame that the server sends.
    public var maximumFrameByteCount: UInt32
    /// The codecs the server can encode.
    public var codecs: [ImageCodec]
    /// The cameras; the first one is the default.
    public var cameras: [CameraDescription]

    /// Creates a welcome.
    public init(name: String, maximumFrameByteCount: UInt32, codecs: [ImageCodec], cameras: [CameraDescription]) {
        self.name = name
        self.maximumFrameByteCount = maximumFrameByteCount
        self.codecs = codecs
        self.cameras = cameras
    }
}

/// One camera of a server.
public struct CameraDescription: Sendable, Hashable {
    /// The name that `subscribe` takes.
    public var name: String
    /// What a person calls it: the device's or file's name.
    public var localizedName: String
    /// What it is doing.
    public var state: CameraState
    /// Why, when it is interrupted or ended.
    public var reason: StateReason
    /// The captured size; 0x0 until known.
    public var size: PixelSize
    /// The captured rate; `nil` until known.
    public var frameRate: FrameRate?

    /// Creates a description.
    public init(
        name: String, localizedName: String, state: CameraState, reason: StateReason, size: PixelSize,
        frameRate: FrameRate?
    ) {
        self.name = name
        self.localizedName = localizedName
        self.state = state
        self.reason = reason
        self.size = size
        self.frameRate = frameRate
    }
}
