public import CameraProtocol

/// What a remote camera counted since it was made.
public struct RemoteCameraStatistics: Sendable, Hashable {
    /// Frames that came over the network.
    public internal(set) var receivedCount: UInt64 = 0
    /// Bytes of their images.
    public internal(set) var receivedByteCount: UInt64 = 0
    /// Frames handed out.
    public internal(set) var deliveredCount: UInt64 = 0
    /// Frames that were lost between the source and the consumer, by reason, as reported with those handed out.
    public internal(set) var drops = DropCounts()
    /// Connections that were made.
    public internal(set) var connectionCount: UInt64 = 0
    /// The smallest round trip of the last minute; `nil` until measured on the present connection.
    public internal(set) var roundTrip: Duration?
    /// The server's monotonic clock less this machine's; `nil` until measured on the present connection.
    public internal(set) var clockOffset: Duration?
    /// How far off ``clockOffset`` may be, either way, as of the last measurement; `nil` until measured.
    public internal(set) var clockUncertainty: Duration?
    /// Whether frames are asked for one by one, because the consumer is slower than the stream.
    public internal(set) var isOnDemand = false

    /// Connections that were made after the first.
    public var reconnectionCount: UInt64 { max(connectionCount, 1) - 1 }
}
