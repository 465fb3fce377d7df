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
    /// Changes the stream; its delivery mode stays.
    case update(StreamRequest)
    /// Closes the stream.
    case unsubscribe
    /// Answers `unsubscribe` with the drops since the stream's last frame: its number is free again.
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
    /// ``Hello``, client to server.
    case hello = 1
    /// ``Welcome``, server to client.
    case welcome = 2
    /// ``Subscribe``, client to server.
    case subscribe = 3
    /// ``Subscribed``, server to client.
    case subscribed = 4
    /// ``StreamRequest``, client to server.
    case update = 5
    /// No body, client to server.
    case unsubscribe = 6
    /// ``DropCounts``, server to client.
    case unsubscribed = 7
    /// ``FrameMetadata`` and a payload, server to client.
    case frame = 8
    /// A count, client to server.
    case credit = 9
    /// ``FramePosition``, client to server.
    case acknowledge = 10
    /// ``Ping``, both ways.
    case ping = 11
    /// ``Pong``, both ways.
    case pong = 12
    /// ``CameraStatus``, server to client.
    case status = 13
    /// A camera's name, client to server.
    case listControls = 14
    /// ``ControlList``, server to client.
    case controls = 15
    /// ``ControlName``, client to server.
    case getControl = 16
    /// ``ControlValue``, client to server.
    case setControl = 17
    /// ``ControlValue``, server to client.
    case controlValue = 18
    /// ``Failure``, both ways.
    case error = 19
    /// ``Bye``, both ways.
    case bye = 20
}
