public import CameraMedia
public import CameraProtocol

/// What an input tells the outputs it is connected to, in order.
public enum CaptureEvent: Sendable {
    /// The input was opened, or its format changed; samples of a new epoch follow.
    case format(CaptureFormat)
    /// A frame.
    case sample(SampleBuffer)
    /// The input does something else now.
    case state(CaptureState)
}

/// What an input delivers.
public struct CaptureFormat: Sendable, Hashable {
    /// The captured size.
    public var size: PixelSize
    /// The nominal rate; `nil` if the input has none.
    public var frameRate: FrameRate?
    /// How the samples are coded: raw, or the camera's own JPEG.
    public var codec: ImageCodec
    /// The layout of raw samples.
    public var pixelFormat: PixelFormat?
    /// How components map to light.
    public var colorimetry: Colorimetry

    /// Creates a format.
    public init(
        size: PixelSize, frameRate: FrameRate?, codec: ImageCodec = .raw, pixelFormat: PixelFormat?,
        colorimetry: Colorimetry
    ) {
        self.size = size
        self.frameRate = frameRate
        self.codec = codec
        self.pixelFormat = pixelFormat
        self.colorimetry = colorimetry
    }
}

/// What an input is doing, and why.
public struct CaptureState: Sendable, Hashable {
    /// What it does.
    public var state: CameraState
    /// Why, when it is interrupted or ended.
    public var reason: StateReason
    /// A sentence for a person; may be empty.
    public var text: String
    /// What was dropped since the last sample.
    public var drops: DropCounts
    /// Whether an input that has ended will never deliver again, whoever comes: a pipe, unlike a file.
    public var isFinal: Bool

    /// Creates a state.
    public init(
        _ state: CameraState, reason: StateReason = .none, text: String = "", drops: DropCounts = DropCounts(),
        isFinal: Bool = false
    ) {
        self.isFinal = isFinal
        self.state = state
        self.reason = reason
        self.text = text
        self.drops = drops
    }
}
