public import CameraCapture
import CameraMedia
public import CameraProtocol
import Synchronization

/// A camera that needs no hardware: a moving picture with the frame number and its time painted in it.
///
/// The picture depends on the frame number alone. It comes as I420 in WebP's own colorimetry, at the times a camera
/// would deliver it, and is painted only while somebody looks.
public final class TestPatternInput: CaptureInput {
    /// What a person calls it.
    public let localizedName = "Test pattern"

    private let size: PixelSize?
    private let frameRate: FrameRate?
    private let thread = Mutex<CaptureThread?>(nil)

    /// Creates the input.
    ///
    /// - Parameters:
    ///   - size: The exact size; `nil`: 1280x720, or what of that fits within the session's preset.
    ///   - frameRate: The rate, at most the session's; `nil`: the session's, or 30.
    public init(size: PixelSize? = nil, frameRate: FrameRate? = nil) {
        self.size = size
        self.frameRate = frameRate
    }

    /// Begins to deliver.
    ///
    /// - Throws: ``CaptureInputError`` if the size is empty or above ``Limits/pixelCount``.
    public func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        let size = try size(for: configuration.preset)
        let rate = rate(for: configuration.frameRate)
        port.deliver(
            .format(CaptureFormat(size: size, frameRate: rate, pixelFormat: .i420, colorimetry: .webp)))
        port.deliver(.state(CaptureState(.running)))
        let painter = TestPatternPainter(size: size, rate: rate)
        thread.withLock { $0 = CaptureThread(name: "test pattern") { Self.run(painter, port) } }
    }

    /// Ends the delivery.
    public func stop() {
        thread.withLock { $0.take() }?.join()
    }

    private func size(for preset: SessionPreset) throws(CaptureInputError) -> PixelSize {
        let size = self.size ?? Self.defaultSize.fitted(within: preset.maximumSize ?? Self.defaultSize)
        guard size.pixelCount > 0, size.pixelCount <= Limits.pixelCount else {
            throw CaptureInputError(
                .unsupportedFormat, subject: "test pattern",
                reason: "\(size) is not possible (at least 1x1, at most \(Limits.pixelCount) pixels)")
        }
        return size
    }

    private func rate(for wanted: FrameRate?) -> FrameRate {
        guard let frameRate else { return wanted ?? .thirty }
        return wanted.map { min($0, frameRate) } ?? frameRate
    }

    /// More than consumers hold as a rule, and an end to what those that stall can hold.
    static let bufferLimit = 32
    private static let defaultSize = PixelSize(width: 1280, height: 720)

    /// What it can do, as a driver would list it.
    static let capability = V4L2Capability(
        fourCC: FourCC(rawValue: 0x3231_5559), description: "Planar YUV 4:2:0",
        sizes: [
            V4L2Capability.SizeOption(
                size: SizeRange(
                    minimum: PixelSize(width: 1, height: 1), maximum: PixelSize(width: 8192, height: 8192),
                    step: PixelSize(width: 1, height: 1)),
                rates: FrameRate(1, 1000).flatMap { low in FrameRate(1000).map { .range(low, $0) } } ?? .unknown)
        ])

    /// The size of the test pattern's device for a preset: the one in its name, or what of the usual size fits within it.
    static func size(for preset: SessionPreset) -> PixelSize {
        preset.namedSize ?? defaultSize.fitted(within: preset.maximumSize ?? defaultSize)
    }

    private static func run(_ painter: TestPatternPainter, _ port: CaptureInputPort) {
        let pool = MemoryPool(limit: bufferLimit)
        let epoch = Epoch.next()
        var pacing = LivePacing(rate: painter.rate, start: .now())
        while true {
            if !port.demand.isWanted {
                guard port.waitForDemand({ $0.isWanted }) != nil else { return }
                pacing.resumed(at: .now())
            }
            guard port.wait(until: pacing.nextDue) else { return }
            let frame = pacing.woke(at: .now())
            guard let buffer = try? painter.makePicture(of: frame.sequence, pool: pool) else {
                pacing.dropped(.outOfBuffers)
                continue
            }
            port.deliver(
                .sample(
                    SampleBuffer(
                        content: .pixels(buffer), position: FramePosition(epoch: epoch, sequence: frame.sequence),
                        captureTime: CaptureTime(at: frame.due), capturedAt: .now(),
                        duration: FrameDuration(painter.rate), drops: pacing.delivered())))
        }
    }
}
