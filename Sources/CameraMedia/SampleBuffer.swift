/// One frame: pixels, or an image still encoded, with its timing and what else is known of it.
///
/// A value; its pixels are shared by reference and never change. May be passed between threads.
public struct SampleBuffer: Sendable {
    /// What a frame holds.
    public enum Content: Sendable {
        /// Uncompressed pixels.
        case pixels(PixelBuffer)
        /// An image as the camera or the network delivered it.
        case encoded(EncodedImage)
    }

    /// How a picture travelled over a network.
    public struct Transfer: Sendable, Hashable {
        /// How it was coded.
        public var codec: ImageCodec
        /// The number of coded bytes.
        public var byteCount: Int

        /// Describes a picture on its way.
        public init(codec: ImageCodec, byteCount: Int) {
            self.codec = codec
            self.byteCount = byteCount
        }
    }

    /// The picture.
    public var content: Content

    // MARK: Timing

    /// The frame's place in its source: epoch and sequence.
    public var position: FramePosition
    /// When the picture was taken, by this machine's clocks.
    public var captureTime: CaptureTime
    /// When the driver, file or network handed the frame over.
    public var capturedAt: HostTime
    /// The nominal time to the next frame; `nil` if the source does not say.
    public var duration: FrameDuration?

    // MARK: Attachments

    /// What was dropped, by reason, since the frame that the receiver got before this one in the same epoch.
    ///
    /// The difference of the two frames' ``sequence`` is one more than the sum.
    public var drops: DropCounts
    /// How far off ``captureTime`` may be, either way, in nanoseconds: 0 for a local source, the largest
    /// number as long as nobody can say.
    public var captureTimeUncertainty: UInt64
    /// What a person calls the source: a device's localized name, or a remote camera's; `nil` if nobody said.
    public var sourceName: String?
    /// How the picture came here, whatever it was decoded to since; `nil` for a local source.
    public var transfer: Transfer?

    /// Creates a sample buffer.
    ///
    /// - Parameters:
    ///   - content: The picture.
    ///   - position: The frame's place in its source.
    ///   - captureTime: When the picture was taken, by this machine's clocks.
    ///   - capturedAt: When the frame was handed over.
    ///   - duration: The nominal time to the next frame; `nil` if the source does not say.
    ///   - drops: What was dropped since the frame before.
    ///   - captureTimeUncertainty: How far off `captureTime` may be, in nanoseconds.
    ///   - sourceName: What a person calls the source.
    ///   - transfer: How the picture travelled; `nil` for a local source.
    public init(
        content: Content, position: FramePosition, captureTime: CaptureTime, capturedAt: HostTime,
        duration: FrameDuration? = nil, drops: DropCounts = DropCounts(), captureTimeUncertainty: UInt64 = 0,
        sourceName: String? = nil, transfer: Transfer? = nil
    ) {
        self.content = content
        self.position = position
        self.captureTime = captureTime
        self.capturedAt = capturedAt
        self.duration = duration
        self.drops = drops
        self.captureTimeUncertainty = captureTimeUncertainty
        self.sourceName = sourceName
        self.transfer = transfer
    }

    /// The pixels; `nil` if the content is still encoded.
    public var imageBuffer: PixelBuffer? {
        if case .pixels(let buffer) = content { buffer } else { nil }
    }

    /// The picture's size in pixels.
    public var size: PixelSize {
        switch content {
        case .pixels(let buffer): buffer.size
        case .encoded(let image): image.size
        }
    }
}

extension SampleBuffer {
    /// When the picture was taken, by this machine's monotonic clock; of a remote camera too.
    public var presentationTime: HostTime { captureTime.host }

    /// The frame's source count within its epoch, from 0; frames that were lost are counted.
    public var sequence: UInt64 { position.sequence }

    /// When the frame's source was opened or last changed its format: UTC nanoseconds, to compare for equality only.
    public var epoch: UInt64 { position.epoch }

    /// How long ago the picture was taken, give or take ``captureTimeUncertainty``; zero if it seems to lie ahead.
    ///
    /// - Parameter time: The moment that is asked for, by default the present.
    public func age(at time: HostTime = .now()) -> Duration {
        .nanoseconds(Int64(clamping: time.nanoseconds(since: presentationTime)))
    }
}
