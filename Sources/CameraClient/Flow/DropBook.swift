package import CameraProtocol

/// Adds up what one stage discards, for the next frame that it passes on.
///
/// Within an epoch, the sequence gap of two frames that pass equals the drops of the second; the first frame of an
/// epoch carries none.
package struct DropBook: Sendable {
    private var pending = DropCounts()
    private var lastEpoch: UInt64?

    /// Creates an empty book.
    package init() {}

    /// A frame is discarded: it and the drops that it carried count.
    package mutating func discard(carrying drops: DropCounts, reason: DropReason) {
        pending.add(drops)
        pending.add(reason)
    }

    /// What to report with a frame if it passes.
    package func drops(ofEpoch epoch: UInt64, carrying drops: DropCounts) -> DropCounts {
        // What was lost between epochs is unknown.
        guard lastEpoch == epoch else { return DropCounts() }
        var sum = drops
        sum.add(pending)
        return sum
    }

    /// A frame passes.
    ///
    /// - Returns: What to report with it.
    @discardableResult
    package mutating func pass(epoch: UInt64, carrying drops: DropCounts) -> DropCounts {
        let sum = self.drops(ofEpoch: epoch, carrying: drops)
        pending = DropCounts()
        lastEpoch = epoch
        return sum
    }
}
