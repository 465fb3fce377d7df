import CameraMedia
import CameraProtocol

/// Which frame of a live source of a fixed rate is next, and what was lost: a value without clocks.
///
/// The sequence follows the clock. Frames whose time has passed are lost, never made up for in a burst.
struct LivePacing {
    /// A frame to be produced now.
    struct Frame: Equatable {
        var sequence: UInt64
        var due: HostTime
    }

    private let clock: FrameClock
    private var next: UInt64 = 0
    private var drops = DropCounts()

    /// Starts with frame 0 at `start`.
    init(rate: FrameRate, start: HostTime) {
        clock = FrameClock(start: start, rate: rate)
    }

    /// When the next frame is due.
    var nextDue: HostTime { clock.time(of: next) }

    /// Somebody looks again after nobody did: what went by meanwhile is no loss.
    mutating func resumed(at now: HostTime) {
        drops = DropCounts()
        if nextDue < now { next = clock.frame(at: now) + 1 }
    }

    /// The time of the next frame has come; it is the newest one that is due.
    mutating func woke(at now: HostTime) -> Frame {
        let current = max(next, clock.frame(at: now))
        drops.add(.source, current - next)
        next = current + 1
        return Frame(sequence: current, due: clock.time(of: current))
    }

    /// The frame could not be produced.
    mutating func dropped(_ reason: DropReason) {
        drops.add(reason)
    }

    /// The frame goes out.
    ///
    /// - Returns: What was dropped since the last one that did.
    mutating func delivered() -> DropCounts {
        defer { drops = DropCounts() }
        return drops
    }
}
