import CameraCapture
import CameraMedia
import CameraProtocol

/// How fast the frames of a file come.
public enum FilePace: Sendable, Hashable, CaseIterable {
    /// At the file's own rate; as fast as they are taken while all consumers want every frame.
    case realTime
    /// As fast as they are taken.
    case demand
}

/// When the next frame of a file is due: a value without clocks.
struct FilePacing {
    /// What to do about the next frame.
    enum Step: Equatable {
        /// Hand it on; it is of that time.
        case deliver(at: HostTime)
        /// Wait for another demand, but not beyond the deadline.
        case wait(until: HostTime?)
    }

    private let pace: FilePace
    private let rate: FrameRate
    /// Counts from the last time that the pace changed; `nil` while nobody looks, or frames come as they are taken.
    private var clock: FrameClock?
    private var next: UInt64 = 0

    init(pace: FilePace, rate: FrameRate) {
        self.pace = pace
        self.rate = rate
    }

    /// What to do, given what is wanted.
    mutating func step(for demand: CaptureDemand, now: HostTime) -> Step {
        guard demand.isWanted else {
            clock = nil
            return .wait(until: nil)
        }
        if isTaken(demand) {
            clock = nil
            let isReady = demand.orderedCount > 0 ? demand.isOrderedReady : demand.isLatestReady
            return isReady ? .deliver(at: now) : .wait(until: nil)
        }
        let clock = clock ?? restart(at: now)
        let due = clock.time(of: next)
        if now < due { return .wait(until: due) }
        // A file has no time of its own: one that falls behind goes on from there, nothing is bunched or lost.
        return .deliver(at: now.nanoseconds(since: due) < rate.intervalNanoseconds ? due : restart(at: now).start)
    }

    /// The frame was handed on, or could not be.
    mutating func passed() {
        next += 1
    }

    /// Whether frames come as fast as they are taken.
    func isTaken(_ demand: CaptureDemand) -> Bool {
        pace == .demand || (demand.orderedCount > 0 && demand.latestCount == 0)
    }

    private mutating func restart(at now: HostTime) -> FrameClock {
        let clock = FrameClock(start: now, rate: rate)
        self.clock = clock
        next = 0
        return clock
    }
}
