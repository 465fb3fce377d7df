import CameraMedia
import CameraProtocol

/// Follows a stream's positions across broken connections.
struct SequenceLedger: Sendable {
    private var last: FramePosition?
    private var isFirstOfSubscription = true

    /// A new subscription: the server knows nothing of the frames before.
    mutating func subscribed() {
        isFirstOfSubscription = true
    }

    /// A frame came.
    ///
    /// - Returns: The drops before it; `nil` if the frame, or a later one, came already.
    mutating func received(_ position: FramePosition, drops: DropCounts) -> DropCounts? {
        guard let last, last.epoch == position.epoch else {
            self.last = position
            isFirstOfSubscription = false
            return DropCounts()
        }
        guard position.sequence > last.sequence else { return nil }
        self.last = position
        guard isFirstOfSubscription else { return drops }
        isFirstOfSubscription = false
        let gap = position.sequence - last.sequence - 1
        return gap == 0 ? DropCounts() : DropCounts(.discontinuity, gap)
    }
}
