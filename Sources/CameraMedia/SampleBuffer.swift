/// One frame with its timing: pixels, or an image still encoded.
public struct SampleBuffer: Sendable {
    /// What a frame holds.
    public enum Content: Sendable {
        /// Uncompressed pixels.
        case pixels(PixelBuffer)
        /// An image as the camera or the network delivered it.
        case encoded(EncodedImage)
    }

    /// The picture.
    public var content: Content
    /// The frame's place in its source: epoch and sequence.
    public var position: FramePosition
    /// When the picture was taken, by this machine's clocks.
    public var captureTime: CaptureTime
    /// When the driver, file or network handed the frame over.
    public var capturedAt: HostTime
    /// The nominal time to the next frame; `nil` if the source does not say.
    public var duration: FrameDuration?
    /// What was dropped since the frame that the receiver got before this one.
    public var drops: DropCounts
    /// How far off `captureTime` may be, either way, in nanoseconds; 0 for a local source.
    public var captureTimeUncertainty: UInt64

    /// How the picture came here, whatever it was decoded to since; `nil` for a local source.
    public var transfer: Transfer?

    /// How a picture travelled over a network.
    public struct Transfer: Sendable, Hashable {
        /// How it was coded.
        public var codec: ImageCodec
        /// The coded bytes.
        public var byteCount: Int

        /// Describes a picture on its way.
        public init(codec: ImageCodec, byteCount: Int) {
            self.codec = codec
            self.byteCount = byteCount
        }
    }

    /// Creates a sample buffer.
    public init(
        content: Content, position: FramePosition, captureTime: CaptureTime, capturedAt: HostTime,
        duration: FrameDuration? = nil, drops: DropCounts = DropCounts(), captureTimeUncertainty: UInt64 = 0,
        transfer: Transfer? = nil
    ) {
        self.content = content
        self.position = position
        self.captureTime = captureTime
        self.capturedAt = capturedAt
        self.duration = duration
        self.drops = drops
        self.captureTimeUncertainty = captureTimeUncertainty
        self.transfer = transfer
    }

    /// The pixels; `nil` if the content is still encoded.
    public var imageBuffer: PixelBuffer? {
        if case .pixels(let buffer) = content { buffer } else { nil }
    }

    /// The picture's size.
    public var size: PixelSize {
        switch content {
        case .pixels(let buffer): buffer.size
        case .encoded(let image): image.size
        }
    }

    /// The frame's source count within its epoch, from 0.
    public var sequence: UInt64 { position.sequence }

    /// When the frame's source was opened or last changed its format.
    public var epoch: UInt64 { position.epoch }
}
