/// What a client wants of a stream; what it leaves out, the server decides.
public struct StreamRequest: Sendable, Hashable {
    /// An upper bound of the size and a default quality; `nil`: the server's.
    public var preset: SessionPreset?
    /// An upper bound of the size, aspect kept; `nil`: the preset's.
    public var size: PixelSize?
    /// The part of the captured picture to send; `nil`: all of it.
    public var crop: PixelRectangle?
    /// The most frames a second; `nil`: as captured.
    public var frameRateCap: FrameRate?
    /// The codecs that will do.
    public var codecs: CodecChoice
    /// 0 to 100 on the codec's own scale; `nil`: the preset's.
    public var quality: UInt8?
    /// The layout of raw frames; `nil`: the source's own.
    public var pixelFormat: PixelFormat?
    /// Which frames to send when the client cannot take all.
    public var delivery: DeliveryMode

    /// Creates a request; without arguments, everything is the server's choice.
    public init(
        preset: SessionPreset? = nil, size: PixelSize? = nil, crop: PixelRectangle? = nil,
        frameRateCap: FrameRate? = nil, codecs: CodecChoice = .automatic, quality: UInt8? = nil,
        pixelFormat: PixelFormat? = nil, delivery: DeliveryMode = .latest
    ) {
        self.preset = preset
        self.size = size
        self.crop = crop
        self.frameRateCap = frameRateCap
        self.codecs = codecs
        self.quality = quality
        self.pixelFormat = pixelFormat
        self.delivery = delivery
    }
}

/// Opens a stream.
public struct Subscribe: Sendable, Hashable {
    /// The camera's name; empty: the server's first.
    public var camera: String
    /// What is wanted.
    public var request: StreamRequest
    /// How many frames the client is ready for at once.
    public var credit: UInt16
    /// The last frame the client has, when it comes back after a broken connection.
    public var resume: FramePosition?

    /// Creates a subscription.
    public init(camera: String, request: StreamRequest, credit: UInt16, resume: FramePosition? = nil) {
        self.camera = camera
        self.request = request
        self.credit = credit
        self.resume = resume
    }
}

/// What a stream really carries, from here on.
public struct Subscribed: Sendable, Hashable {
    /// The camera's name.
    public var camera: String
    /// The captured size; 0x0 until known.
    public var sourceSize: PixelSize
    /// The captured rate; `nil` until known.
    public var sourceFrameRate: FrameRate?
    /// The size of the frames sent; 0x0 until known.
    public var size: PixelSize
    /// The part of the captured picture that is sent; `nil`: all of it.
    public var crop: PixelRectangle?
    /// The most frames a second that will come; `nil`: unknown.
    public var frameRate: FrameRate?
    /// The codec at present; with ``CodecChoice/automatic`` a frame may differ.
    public var codec: ImageCodec
    /// The quality, 0 to 100; meaningless for raw.
    public var quality: UInt8
    /// The layout of raw frames; `nil`: the source's own.
    public var pixelFormat: PixelFormat?
    /// Which frames are sent.
    public var delivery: DeliveryMode

    /// Creates a grant.
    public init(
        camera: String, sourceSize: PixelSize, sourceFrameRate: FrameRate?, size: PixelSize, crop: PixelRectangle?,
        frameRate: FrameRate?, codec: ImageCodec, quality: UInt8, pixelFormat: PixelFormat?, delivery: DeliveryMode
    ) {
        self.camera = camera
        self.sourceSize = sourceSize
        self.sourceFrameRate = sourceFrameRate
        self.size = size
        self.crop = crop
        self.frameRate = frameRate
        self.codec = codec
        self.quality = quality
        self.pixelFormat = pixelFormat
        self.delivery = delivery
    }
}

/// A frame's place in its source.
public struct FramePosition: Sendable, Hashable {
    /// Nanoseconds since 1970 UTC when the source was opened or changed its format; compare for equality only.
    public var epoch: UInt64
    /// The source's frames since then, from 0, those lost included.
    public var sequence: UInt64

    /// Creates a position.
    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}
