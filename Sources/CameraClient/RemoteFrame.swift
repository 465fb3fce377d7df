public import CameraImaging
public import CameraMedia
public import CameraProtocol

/// A remote camera's frame, as pixels.
///
/// A value; its pixels are shared by reference and never change. They go back to the camera's pool with the last
/// reference, and a consumer that holds as many as ``RemoteCameraOptions/bufferCount`` gets no more until it lets go.
public struct RemoteFrame: Sendable {
    /// The frame with all that is known of it: what an `Image` is made from.
    public let sampleBuffer: SampleBuffer
    /// The pixels: 32BGRA unless ``RemoteCameraOptions/content`` says otherwise.
    public let pixelBuffer: PixelBuffer

    /// - Returns: `nil` if the content is still encoded.
    init?(_ sampleBuffer: SampleBuffer) {
        guard let pixelBuffer = sampleBuffer.imageBuffer else { return nil }
        self.sampleBuffer = sampleBuffer
        self.pixelBuffer = pixelBuffer
    }

    /// The picture's size in pixels.
    public var size: PixelSize { pixelBuffer.size }
    /// The frame's source count within its epoch, from 0; frames that were lost are counted.
    public var sequence: UInt64 { sampleBuffer.sequence }
    /// When the camera was opened or last changed its format: UTC nanoseconds, to compare for equality only.
    public var epoch: UInt64 { sampleBuffer.epoch }
    /// What was dropped, by reason, since the frame handed out before this one in the same epoch.
    ///
    /// The difference of the two frames' ``sequence`` is one more than the sum.
    public var drops: DropCounts { sampleBuffer.drops }
    /// When the picture was taken, by this machine's monotonic clock, give or take ``captureTimeUncertainty``.
    public var presentationTime: HostTime { captureTime.host }
    /// When the picture was taken, by this machine's monotonic clock, and in UTC by the camera's.
    public var captureTime: CaptureTime { sampleBuffer.captureTime }
    /// How far off the monotonic ``captureTime`` may be, either way; `nil` as long as the clocks of the two machines have
    /// not been compared, which takes one round trip: until then a frame counts as if it had needed no time on its way.
    public var captureTimeUncertainty: Duration? {
        let uncertainty = sampleBuffer.captureTimeUncertainty
        return uncertainty == .max ? nil : .nanoseconds(Int64(clamping: uncertainty))
    }

    /// How long ago the picture was taken, give or take ``captureTimeUncertainty``; zero if it seems to lie ahead.
    ///
    /// - Parameter time: The moment that is asked for, by default the present.
    public func age(at time: HostTime = .now()) -> Duration { sampleBuffer.age(at: time) }
}

extension Image {
    /// Converts or copies a remote camera's frame; its capture time goes with it.
    ///
    /// - Parameter frame: The frame.
    /// - Throws: If memory is out.
    public init(_ frame: RemoteFrame) throws(ImagingError) {
        try self.init(frame.sampleBuffer)
    }
}
