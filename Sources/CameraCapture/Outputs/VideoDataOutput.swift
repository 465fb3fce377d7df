public import CameraMedia
public import CameraProtocol
public import Dispatch
import Synchronization

/// Gets the frames of a video data output.
///
/// Called on the queue given to ``VideoDataOutput/setSampleBufferDelegate(_:queue:)`` and nowhere else, one call at a
/// time.
public protocol VideoDataOutputSampleBufferDelegate: AnyObject, Sendable {
    /// A frame, uncompressed.
    func captureOutput(
        _ output: VideoDataOutput, didOutput sampleBuffer: SampleBuffer, from connection: CaptureConnection)

    /// Frames were dropped since the last call; those that a frame carries in `drops` have been told here before.
    func captureOutput(
        _ output: VideoDataOutput, didDrop samples: DroppedSamples, from connection: CaptureConnection)
}

extension VideoDataOutputSampleBufferDelegate {
    /// Does nothing.
    public func captureOutput(
        _ output: VideoDataOutput, didDrop samples: DroppedSamples, from connection: CaptureConnection
    ) {}
}

/// Hands every frame, uncompressed, to a delegate on a queue of your choice.
///
/// While the delegate is busy frames are dropped, so that it always gets the newest; what was dropped is counted. May be
/// used from any thread.
public final class VideoDataOutput: CaptureOutput {
    private struct Target: Sendable {
        weak var delegate: (any VideoDataOutputSampleBufferDelegate)?
        let queue: DispatchQueue
    }

    private struct Conversion: Sendable {
        let sample: SampleBuffer
        let settings: VideoSettings
        let transform: VideoTransform
        let run: UInt64
    }

    /// What a delegate's queue was asked for.
    private struct Turn: Sendable {
        let target: Target
        let arrivals: UInt64
        let run: UInt64
    }

    private struct State: Sendable {
        var settings = VideoSettings()
        var target: Target?
        var connection: CaptureConnection?
        var queue = SampleQueue(SampleQueue.Policy(depth: 1, replacesOldest: true))
        var inputFormat: CaptureFormat?
        /// Work for an earlier run, or for an earlier delegate, is void.
        var run: UInt64 = 0
        /// How often a delegate was set: each begins a file that has ended anew, and has turns of its own.
        var arrivals: UInt64 = 0

        var demand: CaptureDemand {
            guard target != nil else { return CaptureDemand() }
            return queue.policy.replacesOldest
                ? CaptureDemand(arrivals: arrivals, latestCount: 1, isLatestReady: queue.hasRoom)
                : CaptureDemand(arrivals: arrivals, orderedCount: 1, isOrderedReady: queue.hasRoom)
        }

        mutating func forgetAll() {
            run += 1
            queue.forgetAll()
        }

        /// The delegate is gone without a word.
        mutating func loseDelegate() {
            target = nil
            forgetAll()
            queue.turnEnded()
        }

        mutating func change(_ change: (inout SampleQueue.Policy) -> Void) {
            var policy = queue.policy
            change(&policy)
            guard policy != queue.policy else { return }
            run += 1
            queue.change(to: policy)
        }
    }

    /// The frames that can be in the hands of the delegate and on their way to it at a time, when they have to be
    /// converted; a delegate that keeps more makes the output drop (`outOfBuffers`) until it lets go.
    public static let bufferCount = 8

    private let state = Mutex(State())
    private let worker = DispatchQueue(label: "camstream.video-data-output")
    private let converter = SampleConverter(pool: MemoryPool(limit: bufferCount))

    /// Creates an output for 32BGRA at the input's size.
    public init() {}

    // MARK: - Settings

    /// The pixels handed out; counts from the next frame on.
    public var videoSettings: VideoSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// The layouts that can be asked for, the most efficient first: the input's own, then those it converts to.
    public var availablePixelFormats: [PixelFormat] {
        let own = state.withLock { $0.inputFormat?.pixelFormat }
        let others: [PixelFormat] = [.i420, .nv12, .bgra32, .rgb24, .bgr24, .gray8, .yuyv, .uyvy, .i422, .i444]
        return (own.map { [$0] } ?? []) + others.filter { $0 != own }
    }

    /// Whether a frame that the delegate is not ready for replaces the one before it; `true` unless set.
    ///
    /// Otherwise frames wait, half of ``bufferCount`` of them at most, and a file is read no faster than they are taken;
    /// a live input's frames that find no place are dropped as `outOfBuffers`.
    public var alwaysDiscardsLateVideoFrames: Bool {
        get { state.withLock { $0.queue.policy.replacesOldest } }
        set {
            change { state in
                state.change { policy in
                    policy.replacesOldest = newValue
                    policy.depth = newValue ? 1 : Self.bufferCount / 2
                }
            }
        }
    }

    /// The least time between two frames: `FrameDuration(1, 15)` caps the rate at 15 a second; `nil`: no cap.
    public var minFrameDuration: FrameDuration? {
        get { state.withLock { $0.queue.policy.minFrameDuration } }
        set { change { state in state.change { $0.minFrameDuration = newValue } } }
    }

    /// Sets who gets the frames.
    ///
    /// - Parameters:
    ///   - delegate: Kept weakly; `nil`: nobody, and nothing is converted.
    ///   - queue: Where it is called, concurrent or not; `nil`: on a queue of its own. A call that an earlier delegate is busy with may overlap with
    ///     the first one of this.
    public func setSampleBufferDelegate(_ delegate: (any VideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?) {
        let replaced = state.withLock { state in
            let replaced = state.target?.delegate
            state.target = delegate.map { delegate in
                Target(delegate: delegate, queue: queue ?? DispatchQueue(label: "camstream.sample-buffers"))
            }
            state.arrivals += 1
            state.forgetAll()
            // Whoever is being called may be busy for ever; that is nothing to the new one.
            state.queue.turnEnded()
            return replaced
        }
        (replaced as? SampleMailbox)?.end()
        reportDemand()
    }

    /// The delegate set last, if it still exists.
    public var sampleBufferDelegate: (any VideoDataOutputSampleBufferDelegate)? {
        state.withLock { $0.target?.delegate }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        reportDemand()
    }

    // MARK: - The session

    /// Pictures are turned and mirrored as the connection says.
    public var supportsVideoTransform: Bool { true }

    /// The connection to a session's input; `nil` while there is none.
    public func connection(with mediaType: MediaType = .video) -> CaptureConnection? {
        state.withLock { $0.connection }
    }

    /// Called by the session.
    public func attach(to connection: CaptureConnection) {
        change { state in
            state.connection = connection
            state.forgetAll()
        }
    }

    /// Called by the session.
    public func detach(from connection: CaptureConnection) {
        let delegate = state.withLock { state -> (any VideoDataOutputSampleBufferDelegate)? in
            guard state.connection === connection else { return nil }
            state.connection = nil
            state.forgetAll()
            return state.target?.delegate
        }
        (delegate as? SampleMailbox)?.end()
    }

    /// Called by the session.
    public func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
        // References that were strong for a moment go after the lock: the last one may take the session with it.
        let delegate = state.withLock { state -> (any VideoDataOutputSampleBufferDelegate)? in
            let delegate = state.target?.delegate
            switch event {
            case .format(let format): state.inputFormat = format
            case .state(let change):
                // No call begins once the session has stopped.
                if change.state == .idle { state.forgetAll() }
                if change.state == .ended { state.queue.ended() }
            case .sample(let sample):
                if delegate != nil { state.queue.arrived(sample) } else { state.loseDelegate() }
            }
            return delegate
        }
        withExtendedLifetime(delegate) { advance() }
    }

    // MARK: - The way of a frame

    /// Gives the worker and the delegate what there is for them.
    private func advance() {
        let (conversion, turn) = state.withLock { state -> (Conversion?, Turn?) in
            let conversion = state.queue.nextToConvert().map { sample in
                Conversion(
                    sample: sample, settings: state.settings,
                    transform: state.connection?.videoTransform ?? VideoTransform(), run: state.run)
            }
            guard let target = state.target, state.queue.needsTurn() else { return (conversion, nil) }
            return (conversion, Turn(target: target, arrivals: state.arrivals, run: state.run))
        }
        if let conversion {
            worker.async { [self] in convert(conversion) }
        }
        if let turn { turn.target.queue.async { [self] in call(turn) } }
        reportDemand()
    }

    private func convert(_ conversion: Conversion) {
        let result = converter.convert(conversion.sample, conversion.settings, conversion.transform)
        state.withLock { state in
            if state.run == conversion.run { state.queue.finishedConverting(result) }
        }
        advance()
    }

    /// One turn on the delegate's queue.
    private func call(_ turn: Turn) {
        while let (call, delegate, connection) = nextCall(in: turn) {
            switch call {
            case .dropped(let samples): delegate.captureOutput(self, didDrop: samples, from: connection)
            case .output(let sample): delegate.captureOutput(self, didOutput: sample, from: connection)
            case .ended: (delegate as? SampleMailbox)?.end()
            }
            // A place is free: the worker may go on while the next call runs.
            advance()
        }
        advance()
    }

    private func nextCall(
        in turn: Turn
    ) -> (SampleQueue.Call, any VideoDataOutputSampleBufferDelegate, CaptureConnection)? {
        // Strong before the lock is taken and until after it is given up: its last reference may take the session with it.
        let delegate = turn.target.delegate
        let next = state.withLock { state -> (SampleQueue.Call, CaptureConnection)? in
            guard state.arrivals == turn.arrivals else { return nil }
            guard state.run == turn.run else {
                state.queue.turnEnded()
                return nil
            }
            guard delegate != nil else {
                state.loseDelegate()
                return nil
            }
            guard let connection = state.connection, let call = state.queue.nextCall() else {
                state.queue.turnEnded()
                return nil
            }
            return (call, connection)
        }
        guard let delegate, let (call, connection) = next else { return nil }
        return (call, delegate, connection)
    }

    private func reportDemand() {
        // Told under the lock: two threads that told it outside could do so in the wrong order.
        state.withLock { $0.connection?.setDemand($0.demand) }
    }
}
