import CameraMedia
import CameraProtocol

/// The frames that were received and not handed out, the oldest first.
///
/// A frame that is discarded leaves its drops, and itself as one more, to the next newer frame; so the frames handed
/// out account for every gap.
struct FrameQueue: Sendable {
    /// A frame and how far it is.
    struct Slot: Sendable {
        /// How far a frame is.
        enum Stage: Sendable, Hashable {
            /// As received.
            case received
            /// A decoder has it.
            case decoding
            /// The consumer can have it.
            case ready
        }

        let number: UInt64
        var frame: ReceivedFrame
        var stage: Stage
    }

    private(set) var slots: [Slot] = []
    private var book = DropBook()
    /// The drops of frames that were newer than all that are left.
    private var pending = DropCounts()
    private var nextNumber: UInt64 = 0
    /// All that was discarded here so far.
    private(set) var discarded = DropCounts()

    /// Adds the newest frame.
    mutating func append(_ frame: ReceivedFrame, stage: Slot.Stage) {
        var slot = Slot(number: nextNumber, frame: frame, stage: stage)
        slot.frame.sample.drops.add(pending)
        pending = DropCounts()
        nextNumber += 1
        slots.append(slot)
    }

    /// A frame came that cannot be kept.
    mutating func discardArrival(carrying drops: DropCounts, reason: DropReason) {
        pending.add(drops)
        pending.add(reason)
        discarded.add(reason)
    }

    /// Discards the frame at an index.
    mutating func discard(at index: Int, reason: DropReason) {
        let slot = slots.remove(at: index)
        discarded.add(reason)
        var drops = slot.frame.sample.drops
        drops.add(reason)
        if index < slots.count { slots[index].frame.sample.drops.add(drops) } else { pending.add(drops) }
    }

    /// Forgets all frames.
    mutating func removeAll() {
        slots = []
    }

    /// Discards all frames but those that a decoder has.
    mutating func discardWaiting(reason: DropReason) {
        for index in slots.indices.reversed() where slots[index].stage != .decoding {
            discard(at: index, reason: reason)
        }
    }

    /// Gives the frame at an index to a decoder.
    mutating func startDecoding(at index: Int) {
        slots[index].stage = .decoding
    }

    /// A decoder is done; the frame is still where it was.
    mutating func decoded(_ number: UInt64, pixels: PixelBuffer) {
        guard let index = slots.firstIndex(where: { $0.number == number }) else { return }
        slots[index].frame.sample.content = .pixels(pixels)
        slots[index].stage = .ready
    }

    /// A decoder failed.
    mutating func failed(_ number: UInt64, reason: DropReason) {
        guard let index = slots.firstIndex(where: { $0.number == number }) else { return }
        discard(at: index, reason: reason)
    }

    /// Takes the oldest frame out, for the consumer.
    mutating func removeFirst() -> SampleBuffer {
        var sample = slots.removeFirst().frame.sample
        sample.drops = book.pass(epoch: sample.epoch, carrying: sample.drops)
        return sample
    }

    /// What was dropped after the newest frame, `drops` the last of it: for the end of a stream.
    func rest(adding drops: DropCounts) -> DropCounts {
        var sum = pending
        sum.add(drops)
        return sum
    }
}

/// A frame as it came.
struct ReceivedFrame: Sendable {
    /// The frame; `capturedAt` is when it had come whole.
    var sample: SampleBuffer
    /// Whether the clocks were compared when it came, so that its capture time means something.
    var isClockKnown: Bool

    /// Whether the frame is certainly older than `limit` nanoseconds.
    func isOlder(than limit: UInt64, at now: HostTime) -> Bool {
        guard isClockKnown else { return now.nanoseconds(since: sample.capturedAt) > limit }
        let age = now.nanoseconds(since: sample.captureTime.host)
        return age > limit && age - limit > sample.captureTimeUncertainty
    }

    /// Whether the frame was certainly taken after `time`.
    func isTaken(after time: HostTime) -> Bool {
        guard isClockKnown else { return false }
        return sample.captureTime.host.nanoseconds(since: time) > sample.captureTimeUncertainty
    }
}
