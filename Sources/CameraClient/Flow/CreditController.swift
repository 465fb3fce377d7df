import CameraMedia
import CameraProtocol

/// Decides how many frames the server may send, and when.
struct CreditController: Sendable {
    /// How credit follows the consumer.
    enum Regime: Sendable, Hashable {
        /// The consumer keeps up: credit comes back when a frame was received.
        case streaming
        /// The consumer is much slower than the stream: one frame when it asks.
        case onDemand
        /// Every frame counts: credit comes back when the consumer is done with one.
        case ordered
    }

    /// Credit beyond streaming's in ordered delivery: frames that are being decoded or in the consumer's hands, and enough
    /// that neither encoders nor decoders wait for the other side. Nothing gets old by it.
    static let orderedSurplus = 6

    private(set) var regime: Regime
    private let pacing: ConsumerPacing
    private var path = PathEstimate()
    /// Credit that the server holds, frames under way included.
    private var outstanding = 0
    /// Since when the consumer has not asked; `nil` while it waits.
    private var busySince: HostTime?
    /// Whether the consumer looks in now and then instead of waiting: frames keep coming for its next look.
    private(set) var isPolled = false

    /// Creates a controller without credit outstanding.
    ///
    /// - Parameter startsOnDemand: Whether nothing is to come before the consumer asks for the first time.
    init(isOrdered: Bool, pacing: ConsumerPacing, startsOnDemand: Bool = false) {
        self.pacing = pacing
        let isOnDemand = pacing == .onDemand || startsOnDemand && pacing == .automatic
        regime = isOrdered ? .ordered : isOnDemand ? .onDemand : .streaming
    }

    /// A connection begins or ended: nothing is under way.
    mutating func reset(at now: HostTime, isConsumerWaiting: Bool) {
        outstanding = 0
        busySince = isConsumerWaiting ? nil : now
    }

    /// The server said what it sends.
    mutating func granted(_ rate: FrameRate?) {
        path.grantedRate = rate
    }

    /// The smallest round trip is known, in nanoseconds.
    mutating func measured(roundTrip: UInt64) {
        path.roundTrip = roundTrip
    }

    /// A whole frame came.
    mutating func received(_ stages: StageTimes, at now: HostTime) {
        outstanding = max(outstanding - 1, 0)
        path.add(encodeTime: stages.encoded - min(stages.encodeStarted, stages.encoded), arrival: now)
        // A consumer that is still busy can only turn out slower than it seems.
        if let busySince, now.nanoseconds(since: busySince) > threshold { consumerIsSlow() }
    }

    /// The consumer asks for a frame.
    ///
    /// - Parameter isPoll: Whether it takes what is here and does not wait.
    mutating func consumerAsked(isPoll: Bool = false, at now: HostTime) {
        isPolled = isPoll
        guard !isPoll else {
            if regime == .onDemand, pacing == .automatic { regime = .streaming }
            return
        }
        guard let busySince else { return }
        self.busySince = nil
        let busy = now.nanoseconds(since: busySince)
        if busy > threshold {
            consumerIsSlow()
        } else if busy < threshold / 2, regime == .onDemand, pacing == .automatic {
            regime = .streaming
        }
    }

    /// The consumer got what it asked for, or asks no more.
    mutating func consumerLeft(at now: HostTime) {
        busySince = now
    }

    /// Credit to give now; it counts as outstanding from here on.
    ///
    /// - Parameters:
    ///   - isConsumerWaiting: Whether the consumer waits for a frame.
    ///   - heldCount: The frames received that the consumer is not done with; counts in ordered delivery.
    mutating func takeCredit(isConsumerWaiting: Bool, heldCount: Int) -> UInt16 {
        let target =
            switch regime {
            case .streaming: path.streamingCredit
            case .onDemand: isConsumerWaiting ? 1 : 0
            case .ordered: path.demandCredit + Self.orderedSurplus - heldCount
            }
        let credit = min(target, Int(Limits.credit)) - outstanding
        guard credit > 0 else { return 0 }
        outstanding += credit
        return UInt16(credit)
    }

    /// A consumer that is busy for longer is slower than the stream, in nanoseconds.
    private var threshold: UInt64 { 4 * (path.roundTrip + path.encodeTime + path.frameInterval) }

    private mutating func consumerIsSlow() {
        if regime == .streaming, pacing == .automatic, !isPolled { regime = .onDemand }
    }
}
