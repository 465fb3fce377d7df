/// All of a frame but its payload.
public struct FrameMetadata: Sendable, Hashable {
    /// The frame's place in its source.
    public var position: FramePosition
    /// When the picture was taken, nanoseconds of the server's monotonic clock.
    public var captureTime: UInt64
    /// When the picture was taken, nanoseconds since 1970 UTC by the server's clock.
    public var captureTimeUTC: UInt64
    /// What happened to the frame on the server, and when.
    public var stages: StageTimes
    /// The picture's size.
    public var size: PixelSize
    /// How the payload is coded.
    public var codec: ImageCodec
    /// The payload's layout; for raw frames only.
    public var pixelFormat: PixelFormat?
    /// The colorimetry of the payload's components.
    public var colorimetry: Colorimetry
    /// Whether the frame was given to a member of a group that died with it.
    public var isRedelivered: Bool
    /// What was dropped since the stream's last frame.
    public var drops: DropCounts

    /// Creates metadata.
    public init(
        position: FramePosition, captureTime: UInt64, captureTimeUTC: UInt64, stages: StageTimes, size: PixelSize,
        codec: ImageCodec, pixelFormat: PixelFormat?, colorimetry: Colorimetry, isRedelivered: Bool = false,
        drops: DropCounts = DropCounts()
    ) {
        self.position = position
        self.captureTime = captureTime
        self.captureTimeUTC = captureTimeUTC
        self.stages = stages
        self.size = size
        self.codec = codec
        self.pixelFormat = pixelFormat
        self.colorimetry = colorimetry
        self.isRedelivered = isRedelivered
        self.drops = drops
    }
}

/// When a frame passed the server's stages, nanoseconds of the server's monotonic clock.
public struct StageTimes: Sendable, Hashable {
    /// The frame was handed over by the driver or file.
    public var captured: UInt64
    /// An encoder took the frame; equals `encoded` when nothing had to be encoded.
    public var encodeStarted: UInt64
    /// The encoder was done.
    public var encoded: UInt64
    /// The frame was given to the socket.
    public var sent: UInt64

    /// Creates stage times.
    public init(captured: UInt64, encodeStarted: UInt64, encoded: UInt64, sent: UInt64) {
        self.captured = captured
        self.encodeStarted = encodeStarted
        self.encoded = encoded
        self.sent = sent
    }
}
