import CameraMedia
import CameraProtocol

/// One way of encoding a camera's frames, shared by all streams that want it.
struct Rendition: Sendable {
    /// A frame that is to be, or is being, encoded for those streams that want the newest.
    struct Pending: Sendable {
        let frame: CapturedFrame
        var receivers: [SubscriptionID]
    }

    /// A frame for those streams that want every one.
    struct OrderedFrame: Sendable {
        enum State: Sendable {
            case waiting(CapturedFrame)
            /// The encoder's job holds the captured frame.
            case encoding
            case encoded(EncodedFrame)
            case failed
        }

        var state: State
        /// The streams in whose queue it is.
        var users: Int
    }

    let key: RenditionKey
    /// Renditions are served in turn, in the order of these numbers.
    let turn: UInt64
    /// The streams that want it.
    var users = 0
    /// The newest frame, until an encoder takes it.
    var waiting: Pending?
    /// What encoders have, by job.
    var encoding: [UInt64: Pending] = [:]
    /// The newest frame that is ready.
    var newest: EncodedFrame?
    /// The frames in the queues of ordered streams, by ordinal.
    var ordered: [UInt64: OrderedFrame] = [:]

    /// A frame that needs no encoder: the camera's own image, or raw pixels without padding in the wanted layout.
    func untouched(_ frame: CapturedFrame) -> EncodedFrame? {
        switch frame.sample.content {
        case .encoded(let image) where key.isUntouched(image):
            return EncodedFrame(untouched: frame, image: image)
        case .pixels(let buffer)
        where key.codec == .raw && key.crop == nil && buffer.size == key.size
            && buffer.pixelFormat == key.pixelFormat ?? buffer.pixelFormat && buffer.isPacked:
            let count = buffer.pixelFormat.byteCount(width: buffer.width, height: buffer.height)
            let image = EncodedImage(
                codec: .raw, width: buffer.width, height: buffer.height, pixelFormat: buffer.pixelFormat,
                colorimetry: buffer.colorimetry,
                data: SharedBytes(base: UnsafeRawPointer(buffer.planes[0].base), count: count, owner: buffer))
            return EncodedFrame(untouched: frame, image: image)
        case .encoded, .pixels:
            return nil
        }
    }
}
