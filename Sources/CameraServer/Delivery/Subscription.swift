import CameraMedia
import CameraProtocol

/// A stream of a client, as the camera sees it.
struct Subscription: Sendable {
    /// A stream that wants the newest frame.
    struct Latest: Sendable {
        var gate: RateGate
        var ledger = DropLedger()
        /// The ordinal of the newest frame, while it waits for credit or for the rate cap.
        var undecided: UInt64?
        /// The frames that wait for an encoder or are with one.
        var underWay = 0
        var lastSent: UInt64?
        /// What follows the frames under way.
        var statuses: [CameraStatus] = []
    }

    /// A stream that wants every frame.
    struct Ordered: Sendable {
        enum Entry: Sendable {
            case frame(ordinal: UInt64, epoch: UInt64, drops: DropCounts, key: RenditionKey)
            /// What the frames behind it are.
            case granted(Subscribed)
            case status(CameraStatus)
        }

        /// However deep a client wants its queue: the frames in it are the source's buffers, of which it has few more.
        static let maximumDepth: UInt16 = 16

        let depth: Int
        var gate: RateGate
        var entries: [Entry] = []
        /// What was dropped since the last entry.
        var drops = DropCounts()
        var epoch: UInt64?
        /// The epoch of the last frame sent; the first frame of a subscription or an epoch carries no drops.
        var sentEpoch: UInt64?
        /// What a status or the end of the stream reports.
        var unreported: DropCounts { epoch == sentEpoch ? drops : DropCounts() }
        /// The frames that wait.
        var frameCount: Int { entries.count { if case .frame = $0 { true } else { false } } }
    }

    enum Mode: Sendable {
        case latest(Latest)
        case ordered(Ordered)
    }

    let client: ClientID
    var request: StreamRequest
    let accepted: [ImageCodec]
    var credit: Int
    var grant: StreamGrant?
    var granted: Subscribed?
    /// The rate that the mode's gate keeps to; `nil`: as captured.
    var cap: FrameRate?
    var mode: Mode
}
