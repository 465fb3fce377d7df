import CameraCapture
import CameraMedia
import CameraProtocol

/// Says in a capture session's words what a remote camera does: a value without threads.
struct RemoteEventTranslation: Sendable {
    private var format: CaptureFormat?
    private var epoch: UInt64?
    private var state: CaptureState?

    /// The remote camera does something else now.
    mutating func changed(to new: RemoteCameraState) -> [CaptureEvent] {
        switch new {
        case .connecting: []
        case .streaming: change(to: CaptureState(.running))
        case .interrupted(let status):
            change(
                to: CaptureState(
                    status.state == .interrupted ? .interrupted : .starting, reason: status.reason, text: status.text,
                    drops: status.drops))
        case .reconnecting(_, let cause):
            change(to: CaptureState(.interrupted, reason: .disconnected, text: "\(cause)"))
        // The session itself says that it stopped.
        case .ended(let cause) where cause.code == .closed: []
        case .ended(let cause):
            change(
                to: CaptureState(
                    .ended, reason: cause.code == .ended ? cause.endReason : .disconnected,
                    text: cause.code == .ended ? cause.reason : "\(cause)", drops: cause.drops))
        }
    }

    /// A frame came.
    mutating func received(_ sample: SampleBuffer) -> [CaptureEvent] {
        guard state?.state != .ended, case .encoded(let image) = sample.content else { return [] }
        let new = CaptureFormat(
            size: image.size, frameRate: sample.duration?.frameRate, codec: image.codec,
            pixelFormat: image.codec == .raw ? image.pixelFormat : nil, colorimetry: image.colorimetry)
        var events: [CaptureEvent] = []
        if new != format || sample.epoch != epoch { events.append(.format(new)) }
        (format, epoch) = (new, sample.epoch)
        return events + [.sample(sample)]
    }

    private mutating func change(to new: CaptureState) -> [CaptureEvent] {
        guard new != state, state?.state != .ended else { return [] }
        state = new
        return [.state(new)]
    }
}
