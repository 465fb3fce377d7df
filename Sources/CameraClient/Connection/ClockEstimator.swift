import CameraMedia
import CameraProtocol

/// Translates a server's monotonic clock into this machine's, from the four time stamps of pings (RFC 5905, 8).
///
/// A ping that travelled fast says more than one that waited somewhere, so of the last minute's the one with the
/// smallest uncertainty counts: half its round trip, and what the clocks may have drifted apart since.
struct ClockEstimator: Sendable {
    /// One exchange of ping and pong.
    private struct Exchange {
        /// Server time less client time, in nanoseconds.
        let offset: Int64
        let roundTrip: UInt64
        let time: HostTime

        func uncertainty(at now: HostTime) -> UInt64 {
            roundTrip / 2 + now.nanoseconds(since: time) / ClockEstimator.driftDivisor
        }
    }

    /// A moment of the server's clock in this machine's.
    struct Estimate: Sendable, Hashable {
        /// By this machine's monotonic clock.
        var time: HostTime
        /// How far off it may be, either way, in nanoseconds.
        var uncertainty: UInt64
    }

    /// How long an exchange counts, in nanoseconds.
    private static let window: UInt64 = 60_000_000_000
    /// Clocks drift apart by 50 millionths at most.
    private static let driftDivisor: UInt64 = 20_000
    /// The most exchanges that are kept.
    private static let limit = 64

    private var exchanges: [Exchange] = []
    private var pending: [UInt64] = []

    /// The smallest round trip of the window, in nanoseconds; `nil` before the first pong.
    var smallestRoundTrip: UInt64? { exchanges.map(\.roundTrip).min() }

    /// The server's clock less this machine's, and how far off that may be, either way, in nanoseconds.
    ///
    /// - Returns: `nil` before the first pong.
    func offset(at now: HostTime) -> (nanoseconds: Int64, uncertainty: UInt64)? {
        best(at: now).map { ($0.offset, $0.uncertainty(at: now)) }
    }

    private func best(at now: HostTime) -> Exchange? {
        exchanges.min { $0.uncertainty(at: now) < $1.uncertainty(at: now) }
    }

    /// A ping to send.
    mutating func makePing(at now: HostTime) -> Ping {
        pending.append(now.nanoseconds)
        if pending.count > Self.limit { pending.removeFirst() }
        return Ping(originate: now.nanoseconds)
    }

    /// A pong came; one that answers no ping, or whose times cannot be, is ignored.
    mutating func received(_ pong: Pong, at now: HostTime) {
        guard let index = pending.firstIndex(of: pong.originate) else { return }
        pending.removeSubrange(...index)
        let total = now.nanoseconds(since: HostTime(nanoseconds: pong.originate))
        guard pong.transmit >= pong.receive, pong.transmit - pong.receive <= total else { return }
        // Halfway between the client's two stamps it was halfway between the server's.
        let client = pong.originate + total / 2
        let server = pong.receive + (pong.transmit - pong.receive) / 2
        exchanges.removeAll { now.nanoseconds(since: $0.time) > Self.window }
        if exchanges.count >= Self.limit { exchanges.removeFirst() }
        exchanges.append(
            Exchange(
                offset: Int64(bitPattern: server &- client), roundTrip: total - (pong.transmit - pong.receive),
                time: now))
    }

    /// A moment of the server's clock in this machine's.
    ///
    /// - Returns: `nil` before the first pong.
    func estimate(serverTime: UInt64, at now: HostTime) -> Estimate? {
        guard let best = best(at: now) else { return nil }
        return Estimate(
            time: HostTime(nanoseconds: serverTime &- UInt64(bitPattern: best.offset)),
            uncertainty: best.uncertainty(at: now))
    }
}
