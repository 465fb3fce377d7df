import CameraMedia
import CameraProtocol

/// A frame of a camera, numbered by its arrival at the server across epochs.
struct CapturedFrame: Sendable {
    let ordinal: UInt64
    let sample: SampleBuffer
}

/// A frame ready to be sent to any number of clients; its drops differ by receiver and are filled in then.
struct EncodedFrame: Sendable {
    let ordinal: UInt64
    let metadata: FrameMetadata
    let payload: SharedBytes
    /// Whether the payload is the source's own memory.
    let isUntouched: Bool

    /// A frame that is sent as it was captured.
    init(untouched frame: CapturedFrame, image: EncodedImage) {
        let now = frame.sample.capturedAt
        self.init(frame, image: image, encodeStarted: now, encoded: now, isUntouched: true)
    }

    /// A frame whose image was made from a captured one.
    init(
        _ frame: CapturedFrame, image: EncodedImage, encodeStarted: HostTime, encoded: HostTime,
        isUntouched: Bool = false
    ) {
        self.isUntouched = isUntouched
        ordinal = frame.ordinal
        payload = image.data
        metadata = FrameMetadata(
            position: frame.sample.position, captureTime: frame.sample.captureTime.host.nanoseconds,
            captureTimeUTC: frame.sample.captureTime.utcNanoseconds,
            stages: StageTimes(
                captured: frame.sample.capturedAt.nanoseconds, encodeStarted: encodeStarted.nanoseconds,
                encoded: encoded.nanoseconds, sent: 0),
            size: image.size, codec: image.codec, pixelFormat: image.pixelFormat, colorimetry: image.colorimetry)
    }
}

/// A frame to be encoded for a rendition.
struct EncodeJob: Sendable {
    let id: UInt64
    let key: RenditionKey
    let frame: CapturedFrame
}

/// Names a stream of a client within the server; never used twice.
struct SubscriptionID: Sendable, Hashable, Comparable {
    let number: UInt64

    static func < (first: SubscriptionID, second: SubscriptionID) -> Bool { first.number < second.number }
}
