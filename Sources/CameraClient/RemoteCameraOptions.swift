public import CameraProtocol

/// How a remote camera behaves on this side.
public struct RemoteCameraOptions: Sendable, Hashable {
    /// In what shape frames are received.
    public enum Content: Sendable, Hashable {
        /// Decoded to a layout.
        case pixels(PixelFormat)
        /// Decoded to the layout that the image was coded in; raw frames are not touched.
        case nativePixels
        /// As received, by ``RemoteCamera/samples``; what is taken as pixels, by ``RemoteCamera/frames``, is decoded to
        /// 32BGRA then.
        case encoded
    }

    /// In what shape frames are received; 32BGRA unless said otherwise.
    public var content = Content.pixels(.bgra32)
    /// Frames that are certainly older are dropped; `nil`: handed out however old they are.
    public var maximumAge: Duration?
    /// Whether to connect again, for as long as it takes, when the server cannot be reached or goes away.
    public var reconnects = true
    /// How frames are asked for in `latest` delivery.
    public var pacing = ConsumerPacing.automatic
    /// How long one address may take to answer, and how long the first answer is waited for at most; 5 s unless set.
    public var connectionTimeLimit = Duration.seconds(5)
    /// The most frames that the consumer can hold, pixels and images each; more are dropped (`outOfBuffers`). 1 or more;
    /// 32 unless set.
    public var bufferCount = 32
    /// What the server's log calls this client.
    public var clientName = "camstream"

    /// Creates options with their defaults.
    public init() {}
}
