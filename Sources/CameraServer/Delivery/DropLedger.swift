import CameraMedia
import CameraProtocol

/// Keeps, for one receiver, what became of each frame since the last one it got.
///
/// Frames are encoded at once on several cores and may finish in any order; whichever is sent accounts for all before
/// it that were not. Holds only a few entries: neighbours whose fate is known are merged.
struct DropLedger: Sendable {
    private struct Entry {
        var ordinal: UInt64
        var counts: DropCounts
        var isDropped: Bool
    }

    private var entries: [Entry] = []
    private var epoch: UInt64?
    private var isFresh = true

    /// A frame came, with what was dropped before it; a new epoch forgets all before.
    mutating func arrived(_ ordinal: UInt64, epoch: UInt64, carrying drops: DropCounts) {
        if epoch != self.epoch {
            self.epoch = epoch
            entries = []
            isFresh = true
        }
        entries.append(Entry(ordinal: ordinal, counts: drops, isDropped: false))
    }

    /// A frame will not be sent; does nothing if that is known already.
    mutating func dropped(_ ordinal: UInt64, because reason: DropReason) {
        guard let index = entries.firstIndex(where: { $0.ordinal == ordinal && !$0.isDropped }) else { return }
        entries[index].counts.add(reason)
        entries[index].isDropped = true
        merge(around: index)
    }

    /// All frames that are not decided are dropped, but for one.
    mutating func droppedAll(because reason: DropReason, except ordinal: UInt64?) {
        for entry in entries where !entry.isDropped && entry.ordinal != ordinal {
            dropped(entry.ordinal, because: reason)
        }
    }

    /// Whether a frame of the epoch has been sent.
    var hasSent: Bool { !isFresh }

    /// Whether frames of this epoch are still wanted.
    func isCurrent(epoch: UInt64) -> Bool { epoch == self.epoch }

    /// A frame is sent; those before it that are still under way are outdated.
    ///
    /// - Returns: The drops to report with it; none with the first frame of a subscription or an epoch.
    mutating func sent(_ ordinal: UInt64) -> DropCounts {
        var drops = DropCounts()
        var count = 0
        for entry in entries {
            guard entry.ordinal <= ordinal else { break }
            drops.add(entry.counts)
            if entry.ordinal < ordinal, !entry.isDropped { drops.add(.encoderBusy) }
            count += 1
        }
        entries.removeFirst(count)
        defer { isFresh = false }
        return isFresh ? DropCounts() : drops
    }

    /// Takes out what was dropped since the last frame sent, for a status; what is still under way stays.
    mutating func takeDropped() -> DropCounts {
        var drops = DropCounts()
        for entry in entries where entry.isDropped { drops.add(entry.counts) }
        entries.removeAll { $0.isDropped }
        return isFresh ? DropCounts() : drops
    }

    private mutating func merge(around index: Int) {
        if index + 1 < entries.count, entries[index + 1].isDropped {
            entries[index + 1].counts.add(entries[index].counts)
            entries.remove(at: index)
        }
        if index > 0, index < entries.count, entries[index - 1].isDropped, entries[index].isDropped {
            entries[index].counts.add(entries[index - 1].counts)
            entries.remove(at: index - 1)
        }
    }
}
