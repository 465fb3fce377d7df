public import CameraMedia
public import CameraProtocol
import Synchronization

/// An input whose frames a program makes itself: a renderer, a simulator, a detector that draws boxes.
///
///     let source = FrameSource(localizedName: "Renderer", frameRate: .thirty)
///     session.addInput(source)
///     session.startRunning()
///     try source.push(pixelBuffer)
///
/// May be used from any thread; frames pushed by several at once are put in the order in which they are taken.
public final class FrameSource: CaptureInput {
    private struct State {
        var port: CaptureInputPort?
        var format: CaptureFormat?
        var epoch: UInt64 = 0
        var sequence: UInt64 = 0
        var drops = DropCounts()
        var lastTime: HostTime?
    }

    /// What a person calls it.
    public let localizedName: String
    /// The nominal rate, if there is one.
    public let frameRate: FrameRate?
    private let state = Mutex(State())

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - localizedName: What a person calls it.
    ///   - frameRate: How many frames a second will be pushed, roughly; `nil`: who knows.
    public init(localizedName: String, frameRate: FrameRate? = nil) {
        self.localizedName = localizedName
        self.frameRate = frameRate
    }

    /// Whether anybody looks; a program may rest while nobody does.
    public var isWanted: Bool { state.withLock { $0.port }?.demand.isWanted ?? false }

    /// Hands a frame to the session's outputs.
    ///
    /// A first frame, and one of another size, layout or colorimetry than the last, begins a new epoch. Nothing happens
    /// unless the session runs.
    /// - Parameters:
    ///   - buffer: The picture.
    ///   - time: When it was taken; later than the last one's.
    /// - Throws: ``FrameSourceError`` if `time` is not later than the last one's; nothing is handed on then.
    public func push(_ buffer: PixelBuffer, at time: CaptureTime = .now()) throws(FrameSourceError) {
        // Put in line under the lock, which keeps the order, and handed out outside of it.
        let port = try state.withLock { state throws(FrameSourceError) -> CaptureInputPort? in
            guard let port = state.port else { return nil }
            if let last = state.lastTime, time.host <= last {
                throw FrameSourceError(last: last, given: time.host)
            }
            let format = CaptureFormat(
                size: buffer.size, frameRate: frameRate, pixelFormat: buffer.pixelFormat,
                colorimetry: buffer.colorimetry)
            if format != state.format {
                state.format = format
                state.epoch = Epoch.next()
                state.sequence = 0
                state.drops = DropCounts()
                _ = port.enter(.format(format))
            }
            state.lastTime = time.host
            let sample = SampleBuffer(
                content: .pixels(buffer), position: FramePosition(epoch: state.epoch, sequence: state.sequence),
                captureTime: time, capturedAt: .now(), duration: frameRate.map(FrameDuration.init), drops: state.drops)
            state.sequence &+= 1
            state.drops = DropCounts()
            _ = port.enter(.sample(sample))
            return port
        }
        port?.handOut()
    }

    /// Counts frames that the program could not make; the next one carries them.
    public func skip(_ count: UInt64 = 1, because reason: DropReason = .source) {
        state.withLock { state in
            state.sequence &+= count
            state.drops.add(reason, count)
        }
    }

    /// Called by the session.
    public func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) {
        state.withLock { state in
            state.port = port
            state.format = nil
            state.lastTime = nil
        }
        port.deliver(.state(CaptureState(.running)))
    }

    /// Called by the session.
    public func stop() {
        state.withLock { $0.port = nil }
    }
}

/// A frame was pushed whose time is not later than the last one's.
public struct FrameSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The last frame's time.
    public let last: HostTime
    /// The time given.
    public let given: HostTime

    /// For a person.
    public var description: String {
        "a frame's time (\(given.nanoseconds) ns) has to be later than the last one's (\(last.nanoseconds) ns)"
    }
}
