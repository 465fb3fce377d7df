import CameraMedia
import CameraProtocol

/// How frames go from the connection to the consumer: what waits, what is decoded, who gets what, and how much credit
/// the server gets for it.
///
/// A plain value: events in, ``nextAction(at:)`` out until there is none.
struct FrameFlow: Sendable {
    /// What to do next.
    enum Action: Sendable {
        /// Tell the server that it may send more frames.
        case giveCredit(UInt16)
        /// Tell the server what the consumer is done with.
        case acknowledge(FramePosition)
        /// Decode an image, then say so by its number.
        case decode(UInt64, EncodedImage)
        /// Give a frame to the consumer that has waited longest.
        case handOut(SampleBuffer)
    }

    /// What does not change during a flow's life.
    struct Configuration: Sendable {
        /// Whether every frame counts, or the newest.
        var isOrdered: Bool
        /// How credit follows the consumer in `latest` delivery.
        var pacing = ConsumerPacing.automatic
        /// Whether nothing is to come before the consumer asks for the first time, in automatic pacing.
        var startsOnDemand = false
        /// Frames older than this are not handed out, in nanoseconds; `nil`: however old.
        var maximumAge: UInt64?
        /// Whether the consumer wants pixels.
        var isDecoding = true
        /// How many frames are decoded at once in ordered delivery.
        var decoderCount = 1
    }

    private var configuration: Configuration
    private var ledger = SequenceLedger()
    private var queue = FrameQueue()
    private var credit: CreditController
    private var isConnected = false
    /// What the consumer waits for, the oldest wish first: any frame, or one taken after a moment.
    private var asks: [HostTime?] = []
    /// Frames that the consumer has and did not ask since.
    private var inHandsCount = 0
    private var lastHandedOut: FramePosition?
    private var acknowledged: FramePosition?
    private var toAcknowledge: FramePosition?

    /// Creates a flow that is not connected.
    init(_ configuration: Configuration) {
        self.configuration = configuration
        credit = CreditController(
            isOrdered: configuration.isOrdered, pacing: configuration.pacing,
            startsOnDemand: configuration.startsOnDemand)
    }

    // MARK: - The connection

    /// A new subscription is made.
    ///
    /// - Returns: The credit to give with it.
    mutating func subscribing(at now: HostTime) -> UInt16 {
        ledger.subscribed()
        isConnected = true
        toAcknowledge = nil
        credit.reset(at: now, isConsumerWaiting: waitingCount > 0)
        return takeCredit()
    }

    /// The connection is gone, and all credit with it.
    mutating func disconnected() {
        isConnected = false
    }

    /// The server said what it sends.
    mutating func granted(_ rate: FrameRate?) {
        credit.granted(rate)
    }

    /// The smallest round trip is known, in nanoseconds.
    mutating func measured(roundTrip: UInt64) {
        credit.measured(roundTrip: roundTrip)
    }

    /// A frame came.
    ///
    /// - Parameters:
    ///   - frame: The frame; `nil` if there was no memory for its payload.
    ///   - metadata: What the server said about it.
    mutating func received(_ frame: ReceivedFrame?, metadata: FrameMetadata, at now: HostTime) {
        credit.received(metadata.stages, at: now)
        guard let drops = ledger.received(metadata.position, drops: metadata.drops) else { return }
        guard var frame else { return queue.discardArrival(carrying: drops, reason: .outOfBuffers) }
        frame.sample.drops = drops
        if !configuration.isOrdered {
            queue.discardWaiting(reason: .lateData)
            if credit.regime == .onDemand, waitingCount == 0, !credit.isPolled {
                return queue.discardArrival(carrying: drops, reason: .lateData)
            }
        }
        queue.append(frame, stage: configuration.isDecoding ? .received : .ready)
    }

    // MARK: - The consumer

    /// How many frames the consumer waits for.
    var waitingCount: Int { asks.count }

    /// The consumer asks for a frame; it is done with what it had.
    ///
    /// - Parameters:
    ///   - time: Frames that were not certainly taken after this will not do; `nil`: any will.
    ///   - isPoll: Whether the consumer takes what is here and does not wait.
    mutating func asked(after time: HostTime? = nil, isPoll: Bool = false, at now: HostTime) {
        asks.append(time)
        inHandsCount = 0
        if configuration.isOrdered, acknowledged != lastHandedOut { toAcknowledge = lastHandedOut }
        credit.consumerAsked(isPoll: isPoll, at: now)
    }

    /// The consumer takes a wish back.
    ///
    /// - Parameter index: Counts from the oldest.
    mutating func askWithdrawn(_ index: Int, at now: HostTime) {
        asks.remove(at: index)
        if asks.isEmpty { credit.consumerLeft(at: now) }
    }

    /// Frames older than this are not handed out from now on, in nanoseconds; `nil`: however old.
    mutating func setMaximumAge(_ limit: UInt64?) {
        configuration.maximumAge = limit
    }

    // MARK: - The decoder

    /// An image was decoded.
    mutating func decoded(_ number: UInt64, pixels: PixelBuffer) {
        queue.decoded(number, pixels: pixels)
        // Nobody waits for it any more, and a newer one is here.
        if !configuration.isOrdered, waitingCount == 0, queue.slots.count > 1, queue.slots[0].number == number {
            queue.discard(at: 0, reason: .lateData)
        }
    }

    /// An image could not be decoded.
    mutating func decodingFailed(_ number: UInt64, reason: DropReason) {
        queue.failed(number, reason: reason)
    }

    // MARK: - What follows

    /// Nobody will want the frames that are here.
    mutating func discardAll() {
        queue.removeAll()
    }

    /// What to do next; `nil` if nothing is to do until the next event.
    mutating func nextAction(at now: HostTime) -> Action? {
        discardOutdated(at: now)
        if waitingCount > 0, queue.slots.first?.stage == .ready { return .handOut(handOut(at: now)) }
        if let action = startDecoding() { return action }
        guard isConnected else { return nil }
        if let position = toAcknowledge {
            toAcknowledge = nil
            acknowledged = position
            return .acknowledge(position)
        }
        let count = takeCredit()
        return count > 0 ? .giveCredit(count) : nil
    }

    /// Whether no frame is left to hand out, decoders included.
    var isEmpty: Bool { queue.slots.isEmpty }

    /// Whether credit is given only when the consumer asks.
    var isOnDemand: Bool { credit.regime == .onDemand }

    /// All frames that were discarded on this side so far, by reason.
    var discarded: DropCounts { queue.discarded }

    /// What was dropped after the last frame, `drops` the last of it: for the end of a stream.
    func rest(adding drops: DropCounts) -> DropCounts { queue.rest(adding: drops) }

    /// The last frame that the consumer is done with, to resume behind.
    var resumePoint: FramePosition? { configuration.isOrdered ? acknowledged : nil }

    private mutating func handOut(at now: HostTime) -> SampleBuffer {
        let sample = queue.removeFirst()
        lastHandedOut = sample.position
        asks.removeFirst()
        inHandsCount += 1
        if asks.isEmpty {
            credit.consumerLeft(at: now)
            // Nothing may age in the mailbox of a slow consumer.
            if credit.regime == .onDemand, !credit.isPolled { queue.discardWaiting(reason: .lateData) }
        }
        return sample
    }

    /// Judged when a frame would move on: while nobody waits, a newer one may still replace it.
    private mutating func discardOutdated(at now: HostTime) {
        guard let bound = asks.first else { return }
        for index in queue.slots.indices.reversed() where queue.slots[index].stage != .decoding {
            let frame = queue.slots[index].frame
            let isTooOld = configuration.maximumAge.map { frame.isOlder(than: $0, at: now) } ?? false
            let isTooEarly = bound.map { !frame.isTaken(after: $0) } ?? false
            if isTooOld || isTooEarly { queue.discard(at: index, reason: .lateData) }
        }
    }

    private mutating func startDecoding() -> Action? {
        guard configuration.isOrdered || waitingCount > 0 else { return nil }
        let decodingCount = queue.slots.count { $0.stage == .decoding }
        guard decodingCount < (configuration.isOrdered ? configuration.decoderCount : 1),
            let index = queue.slots.firstIndex(where: { $0.stage == .received }),
            case .encoded(let image) = queue.slots[index].frame.sample.content
        else { return nil }
        queue.startDecoding(at: index)
        return .decode(queue.slots[index].number, image)
    }

    private mutating func takeCredit() -> UInt16 {
        // A frame that is being decoded serves one of those that wait.
        credit.takeCredit(
            isConsumerWaiting: waitingCount > queue.slots.count, heldCount: queue.slots.count + inHandsCount)
    }
}
