import CameraMedia
import CameraProtocol

/// What is known of the way from the camera to here: how long frames take and how fast they come.
struct PathEstimate: Sendable {
    /// How many frames the medians look back.
    private static let history = 16
    /// A peer may claim anything; no encoder takes longer than this many nanoseconds.
    private static let longestEncodeTime: UInt64 = 10_000_000_000

    /// The smallest round trip, in nanoseconds; 0 until known.
    var roundTrip: UInt64 = 0
    /// What the server said it sends at most.
    var grantedRate: FrameRate?
    private var encodeTimes: [UInt64] = []
    private var arrivals: [HostTime] = []

    /// A frame came.
    mutating func add(encodeTime: UInt64, arrival: HostTime) {
        if encodeTimes.count == Self.history { encodeTimes.removeFirst() }
        encodeTimes.append(min(encodeTime, Self.longestEncodeTime))
        if arrivals.count == Self.history { arrivals.removeFirst() }
        arrivals.append(arrival)
    }

    /// The median time to encode a frame, in nanoseconds.
    var encodeTime: UInt64 { encodeTimes.isEmpty ? 0 : encodeTimes.sorted()[encodeTimes.count / 2] }

    /// The time between two frames, in nanoseconds.
    var frameInterval: UInt64 { (grantedRate ?? .thirty).intervalNanoseconds }

    /// Frames a second.
    private var rate: Double { (grantedRate ?? .thirty).framesPerSecond }

    /// Frames a second as they came of late; 0 until known.
    private var arrivalRate: Double {
        guard arrivals.count == Self.history, let first = arrivals.first, let last = arrivals.last, last > first
        else { return 0 }
        return Double(Self.history - 1) * 1e9 / Double(last.nanoseconds(since: first))
    }

    /// The frames that must be under way so that they come at their rate.
    var streamingCredit: Int { credit(at: rate) }

    /// The same for a source that is paced by its consumer, which may be faster than its nominal rate.
    var demandCredit: Int { credit(at: max(rate, arrivalRate)) }

    private func credit(at rate: Double) -> Int {
        let frames = 1 + rate * Double(roundTrip &+ encodeTime) / 1e9
        guard frames < Double(Limits.credit) else { return Int(Limits.credit) }
        return max(2, Int(frames.rounded(.up)))
    }
}
