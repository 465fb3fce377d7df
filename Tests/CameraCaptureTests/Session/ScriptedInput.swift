import CameraCapture
import CameraMedia
import CameraProtocol
import Synchronization

/// An input whose deliveries a test makes by hand.
final class ScriptedInput: CaptureInput {
    struct Failure: Error {}

    let localizedName: String
    let calls = Mutex<[String]>([])
    let port = Mutex<CaptureInputPort?>(nil)
    let failures = Atomic(0)
    /// Presets with which it does not start.
    let refusedPreset: SessionPreset?

    init(localizedName: String = "Scripted", refusing preset: SessionPreset? = nil) {
        self.localizedName = localizedName
        refusedPreset = preset
    }

    func supportsSessionPreset(_ preset: SessionPreset) -> Bool { preset != refusedPreset }

    func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        calls.withLock { $0.append("start") }
        if failures.load(ordering: .relaxed) > 0 {
            failures.subtract(1, ordering: .relaxed)
            throw Failure()
        }
        if configuration.preset == refusedPreset { throw Failure() }
        self.port.withLock { $0 = port }
        port.deliver(.format(.scripted))
        port.deliver(.state(CaptureState(.running)))
    }

    func stop() {
        calls.withLock { $0.append("stop") }
    }

    func deliver(epoch: UInt64 = 1, sequence: UInt64, drops: DropCounts = DropCounts()) throws {
        let buffer = try PixelBuffer(width: 2, height: 2, pixelFormat: .gray8, colorimetry: .webp) { planes in
            planes[0].base.update(repeating: 7, count: 4)
        }
        deliver(
            .sample(
                SampleBuffer(
                    content: .pixels(buffer), position: FramePosition(epoch: epoch, sequence: sequence),
                    captureTime: .now(), capturedAt: .now(), drops: drops)))
    }

    func deliver(_ event: CaptureEvent) {
        port.withLock { $0 }?.deliver(event)
    }

    /// What the session asked for so far.
    var history: [String] { calls.withLock { $0 } }
}

extension CaptureFormat {
    static let scripted = CaptureFormat(
        size: PixelSize(width: 2, height: 2), frameRate: .thirty, pixelFormat: .gray8, colorimetry: .webp)
}
