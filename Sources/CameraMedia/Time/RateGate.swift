package import CameraProtocol

/// Says when a receiver may get its next frame, so that a rate cap is kept evenly and without drift.
package struct RateGate: Sendable {
    /// Intervals are rounded to nanoseconds; a frame that is early by no more than that is on time.
    private static let tolerance: UInt64 = 1_000

    private let interval: UInt64
    private var next: UInt64?

    /// Creates an open gate; `nil`: one that never closes.
    package init(_ cap: FrameRate?) {
        interval = cap?.intervalNanoseconds ?? 0
    }

    /// When the gate opens; `nil`: it is open.
    package func opening(after now: UInt64) -> UInt64? {
        next.flatMap { $0 > now && $0 - now > Self.tolerance ? $0 : nil }
    }

    /// A frame passed. The next opening is an interval after this one's opening, unless that is long past.
    package mutating func passed(at now: UInt64) {
        let following = (next ?? now) &+ interval
        next = following > now ? following : now &+ interval
    }
}
