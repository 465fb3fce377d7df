public import CameraProtocol

/// What a remote camera is doing.
public enum RemoteCameraState: Sendable, Hashable {
    /// A connection is being made.
    case connecting
    /// The server is there and was asked for frames.
    case subscribing
    /// Frames come, as the server granted them.
    case streaming(Subscribed)
    /// The server's camera delivers nothing at the moment, and may come back.
    case interrupted(CameraStatus)
    /// The connection broke, or there was none; the next attempt follows by itself.
    case reconnecting(after: Duration, because: RemoteCameraError)
    /// There will be no more frames but those received already.
    case ended(RemoteCameraError)
}

/// What a remote camera counted since it was made.
public struct RemoteCameraStatistics: Sendable, Hashable {
    /// Frames that came over the network.
    public var receivedCount: UInt64 = 0
    /// Bytes of their payloads.
    public var receivedByteCount: UInt64 = 0
    /// Frames handed out.
    public var deliveredCount: UInt64 = 0
    /// Frames that were lost between the source and the consumer, as reported with those handed out.
    public var drops = DropCounts()
    /// Connections that were made.
    public var connectionCount: UInt64 = 0
    /// The smallest round trip of the last minute, in nanoseconds; `nil` until known.
    public var roundTrip: UInt64?
    /// Whether frames are asked for one by one, because the consumer is slower than the stream.
    public var isOnDemand = false

    /// Creates statistics of nothing.
    public init() {}
}
