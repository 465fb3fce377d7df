/// The number of a stream on a connection, picked by the client; 0 is the connection itself.
public typealias StreamID = UInt16

/// Everything that travels after the preamble, except frames: a frame is a ``FrameMetadata`` and a payload.
public enum Message: Sendable, Hashable {
    /// The client's first message.
    case hello(Hello)
    /// The server's first message.
    case welcome(Welcome)
    /// Opens the stream of the header.
    case subscribe(Subscribe)
    /// Says what the stream really carries from here on.
    case subscribed(Subscribed)
    /// Changes the stream.
    case update(StreamRequest)
    /// Closes the stream.
    case unsubscribe
    /// Answers `unsubscribe`: the stream number is free again.
    case unsubscribed(DropCounts)
    /// How many more frames the client is ready for.
    case credit(UInt16)
    /// The consumer is done with all frames up to this one.
    case acknowledge(FramePosition)
    /// Asks for a `pong`.
    case ping(Ping)
    /// Answers a `ping`.
    case pong(Pong)
    /// What a camera does.
    case status(CameraStatus)
    /// Asks for the controls of the camera named.
    case listControls(camera: String)
    /// Answers `listControls`.
    case controls(ControlList)
    /// Asks for a control's value.
    case getControl(ControlName)
    /// Sets a control.
    case setControl(ControlValue)
    /// A control's value, as an answer or because it changed.
    case controlValue(ControlValue)
    /// Something went wrong.
    case error(Failure)
    /// The last message of a side.
    case bye(Bye)
}

/// The type byte of a message header.
public enum MessageType: UInt8, Sendable, Hashable, CaseIterable {
    case hello = 1
    case welcome = 2
    case subscribe = 3
    case subscribed = 4
    case update = 5
    case unsubscribe = 6
    case unsubscribed = 7
    case frame = 8
    case credit = 9
    case acknowledge = 10
    case ping = 11
    case pong = 12
    case status = 13
    case listControls = 14
    case controls = 15
    case getControl = 16
    case setControl = 17
    case controlValue = 18
    case error = 19
    case bye = 20
}
