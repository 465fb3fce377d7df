import CameraMedia
import CameraProtocol

/// What a video data output has for its delegate: a value without queues or clocks.
///
/// A frame waits to be converted, then for the delegate. A delegate that is busy finds the newest frame when it is
/// ready, or as many as `depth` says; what it missed is told in one call, and carried by the next frame it gets.
struct SampleQueue: Sendable {
    /// Which frames stay when there are more than the delegate takes.
    struct Policy: Sendable, Hashable {
        /// Frames that wait at each of the two places.
        var depth: Int
        /// Whether a frame that finds no place replaces the oldest; otherwise it is dropped itself.
        var replacesOldest: Bool
        /// The least time between two frames.
        var minFrameDuration: FrameDuration?
    }

    /// What the delegate is called with next.
    enum Call: Sendable {
        case dropped(DroppedSamples)
        case output(SampleBuffer)
        /// The input has ended, and the last frame was handed out.
        case ended
    }

    private typealias Line = WritableKeyPath<SampleQueue, [SampleBuffer]>

    private(set) var policy: Policy
    private var gate: RateGate
    private var unconverted: [SampleBuffer] = []
    private var converting: SampleBuffer?
    private var converted: [SampleBuffer] = []
    private var isCalling = false
    private var hasEnded = false
    /// What was dropped since the last frame that got in line; the next carries it.
    private var carried = DropCounts()
    private var untold = DroppedSamples()
    private var arrivedEpoch: UInt64?
    private var deliveredEpoch: UInt64?

    init(_ policy: Policy) {
        self.policy = policy
        gate = RateGate(policy.minFrameDuration?.frameRate)
    }

    /// Whether another frame finds a place.
    var hasRoom: Bool { unconverted.count < policy.depth && converted.count < policy.depth }

    // MARK: - Frames

    /// A frame came from the input.
    mutating func arrived(_ sample: SampleBuffer) {
        hasEnded = false
        if sample.epoch != arrivedEpoch {
            arrivedEpoch = sample.epoch
            carried = DropCounts()
        }
        var sample = sample
        drop(sample.drops, at: sample)
        sample.drops = DropCounts()
        let time = sample.captureTime.host.nanoseconds
        guard gate.opening(after: time) == nil else { return drop(DropCounts(.rateCap), at: sample) }
        gate.passed(at: time)
        if unconverted.count >= policy.depth, !policy.replacesOldest {
            return drop(DropCounts(.outOfBuffers), at: sample)
        }
        sample.drops = carried
        carried = DropCounts()
        append(sample, to: \.unconverted)
    }

    /// The frame to convert next, unless one is being converted.
    mutating func nextToConvert() -> SampleBuffer? {
        guard converting == nil, !unconverted.isEmpty else { return nil }
        guard policy.replacesOldest || converted.count < policy.depth else { return nil }
        converting = unconverted.removeFirst()
        return converting
    }

    /// The frame that was being converted is done, or could not be for a reason.
    mutating func finishedConverting(_ content: Result<SampleBuffer.Content, ConversionFailure>) {
        guard var sample = converting else { return }
        converting = nil
        switch content {
        case .success(let content):
            sample.content = content
            append(sample, to: \.converted)
        case .failure(let failure):
            untold.add(DropCounts(failure.reason), at: sample)
            sample.drops.add(failure.reason)
            passOn(sample.drops, of: sample.epoch, to: \.unconverted)
        }
    }

    /// The input has ended.
    mutating func ended() {
        hasEnded = true
    }

    // MARK: - Calls

    /// Whether the delegate's queue has to be asked for a turn; it has one at a time.
    mutating func needsTurn() -> Bool {
        guard !isCalling, peek else { return false }
        isCalling = true
        return true
    }

    private var peek: Bool { !untold.drops.isEmpty || !converted.isEmpty || isAtEnd }
    private var isAtEnd: Bool { hasEnded && unconverted.isEmpty && converting == nil && converted.isEmpty }

    /// What the delegate is called with in its turn; `nil` ends the turn.
    mutating func nextCall() -> Call? {
        if !untold.drops.isEmpty {
            defer { untold = DroppedSamples() }
            return .dropped(untold)
        }
        if !converted.isEmpty {
            var sample = converted.removeFirst()
            // The first frame of all, and of an epoch, carries no drops.
            if sample.epoch != deliveredEpoch { sample.drops = DropCounts() }
            deliveredEpoch = sample.epoch
            return .output(sample)
        }
        if isAtEnd {
            hasEnded = false
            return .ended
        }
        turnEnded()
        return nil
    }

    /// The delegate's turn is over, for whatever reason.
    mutating func turnEnded() {
        isCalling = false
    }

    // MARK: - Changes

    /// Another policy holds from now on; the frames that wait are a discontinuity.
    mutating func change(to policy: Policy) {
        guard policy != self.policy else { return }
        let frames = converted + (converting.map { [$0] } ?? []) + unconverted
        for frame in frames where frame.epoch == arrivedEpoch {
            var drops = frame.drops
            drops.add(.discontinuity)
            carried.add(drops)
            untold.add(DropCounts(.discontinuity), at: frame)
        }
        clearLines()
        self.policy = policy
        gate = RateGate(policy.minFrameDuration?.frameRate)
    }

    /// Nothing of before is told or handed out any more: a stop, or another delegate.
    mutating func forgetAll() {
        clearLines()
        carried = DropCounts()
        untold = DroppedSamples()
        hasEnded = false
        deliveredEpoch = nil
        gate = RateGate(policy.minFrameDuration?.frameRate)
    }

    private mutating func clearLines() {
        (unconverted, converting, converted) = ([], nil, [])
    }

    // MARK: - Accounting

    /// Puts a frame at the end of a line; a full one loses its oldest, whose drops go to the one behind it.
    private mutating func append(_ sample: SampleBuffer, to line: Line) {
        self[keyPath: line].append(sample)
        guard self[keyPath: line].count > policy.depth else { return }
        var oldest = self[keyPath: line].removeFirst()
        untold.add(DropCounts(.lateData), at: oldest)
        oldest.drops.add(.lateData)
        passOn(oldest.drops, of: oldest.epoch, to: line)
    }

    /// Drops before a frame that is not in line yet.
    private mutating func drop(_ drops: DropCounts, at sample: SampleBuffer) {
        guard !drops.isEmpty else { return }
        untold.add(drops, at: sample)
        carried.add(drops)
    }

    /// The next frame behind one that fell out carries its drops, if it is of the same epoch.
    private mutating func passOn(_ drops: DropCounts, of epoch: UInt64, to line: Line) {
        if let next = self[keyPath: line].first {
            if next.epoch == epoch { self[keyPath: line][0].drops.add(drops) }
        } else if epoch == arrivedEpoch {
            carried.add(drops)
        }
    }
}

/// Why a frame could not be converted.
struct ConversionFailure: Error {
    let reason: DropReason
}
