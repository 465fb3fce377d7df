import CameraCapture
import CameraMedia
import CameraProtocol
import Testing

@testable import CameraClient

/// What a capture session is told of a remote camera.
struct RemoteEventTranslationTests {
    private static let grant = Subscribed(
        camera: "door", sourceSize: PixelSize(width: 1, height: 1), sourceFrameRate: .thirty,
        size: PixelSize(width: 1, height: 1), crop: nil, frameRate: .thirty, codec: .raw, quality: 80, pixelFormat: nil,
        delivery: .latest)
    private static let failure = RemoteCameraError(.disconnected, subject: "desk:9000", reason: "gone")

    private func states(_ events: [CaptureEvent]) -> [CaptureState] {
        events.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    private func sample(_ sequence: UInt64, epoch: UInt64 = 1, width: Int = 1) -> SampleBuffer {
        SampleBuffer(
            content: .encoded(
                EncodedImage(
                    codec: .jpeg, width: width, height: 1, pixelFormat: .i420, colorimetry: .jpeg,
                    data: SharedBytes(copying: [0]))),
            position: FramePosition(epoch: epoch, sequence: sequence), captureTime: .now(), capturedAt: .now())
    }

    @Test func connectionsAreStates() {
        var translation = RemoteEventTranslation()
        #expect(states(translation.changed(to: .connecting)).isEmpty)
        #expect(
            states(translation.changed(to: .reconnecting(after: .seconds(1), because: Self.failure))) == [
                CaptureState(.interrupted, reason: .disconnected, text: "desk:9000: gone")
            ])
        // Each cause once.
        #expect(states(translation.changed(to: .reconnecting(after: .seconds(2), because: Self.failure))).isEmpty)
        #expect(states(translation.changed(to: .streaming(Self.grant))) == [CaptureState(.running)])
        let status = CameraStatus(
            camera: "door", state: .interrupted, reason: .noSignal, text: "dark", drops: DropCounts(.source, 2))
        #expect(
            states(translation.changed(to: .interrupted(status))) == [
                CaptureState(.interrupted, reason: .noSignal, text: "dark", drops: DropCounts(.source, 2))
            ])
        let idle = CameraStatus(camera: "door", state: .idle)
        #expect(states(translation.changed(to: .interrupted(idle))) == [CaptureState(.starting)])
    }

    @Test func theEndIsSaidOnceAndIsTheEnd() {
        var translation = RemoteEventTranslation()
        let end = RemoteCameraError(
            .ended, subject: "door", reason: "cut short", endReason: .corrupt, drops: DropCounts(.source))
        #expect(
            states(translation.changed(to: .ended(end))) == [
                CaptureState(.ended, reason: .corrupt, text: "cut short", drops: DropCounts(.source))
            ])
        #expect(states(translation.changed(to: .ended(Self.failure))).isEmpty)
        #expect(translation.received(sample(0)).isEmpty)
    }

    @Test func aClosedConnectionIsTheSessionsOwnDoing() {
        var translation = RemoteEventTranslation()
        let closed = RemoteCameraError(.closed, subject: "desk:9000", reason: "closed on this side")
        #expect(translation.changed(to: .ended(closed)).isEmpty)
    }

    @Test func aFormatComesBeforeTheFirstFrameAndWheneverItChanges() {
        var translation = RemoteEventTranslation()
        var text: [String] = []
        for frame in [sample(0), sample(1), sample(0, epoch: 2), sample(1, epoch: 2, width: 2)] {
            for event in translation.received(frame) {
                switch event {
                case .format(let format): text.append("\(format.size)")
                case .sample(let sample): text.append("\(sample.epoch).\(sample.sequence)")
                case .state: text.append("state")
                }
            }
        }
        #expect(text == ["1x1", "1.0", "1.1", "1x1", "2.0", "2x1", "2.1"])
    }
}
