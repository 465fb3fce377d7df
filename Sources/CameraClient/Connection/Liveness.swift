import CameraMedia

/// Judges whether the other side is alive, at regular looks.
struct Liveness: Sendable {
    /// What a look shows.
    enum Verdict: Sendable, Hashable {
        /// Look again then, and send a ping now.
        case alive(nextLook: HostTime)
        /// Its kernel does not answer: the machine or the way to it is gone.
        case dead
        /// Its kernel answers, but the process sent nothing for the stall limit.
        case stalled
        /// The handshake took too long.
        case silentHandshake
    }

    /// Nothing came for this long: 60 s.
    static let stallLimit: UInt64 = 60_000_000_000
    /// How long a server may take to greet: 10 s.
    static let handshakeLimit: UInt64 = 10_000_000_000
    /// Data unacknowledged for this long: 5 s.
    static let silenceMilliseconds: UInt32 = 5_000
    private static let interval: UInt64 = 1_000_000_000
    /// The first looks come sooner, so that the clocks are soon compared.
    private static let firstIntervals: [UInt64] = [20_000_000, 50_000_000, 100_000_000, 200_000_000]

    private let start: HostTime
    private var lookCount = 0
    private var expectedLook: HostTime
    private var isGreeted = false

    /// Begins with a new connection.
    init(at now: HostTime) {
        start = now
        expectedLook = now
    }

    /// The handshake is done.
    mutating func greeted() {
        isGreeted = true
    }

    /// Looks.
    ///
    /// - Parameters:
    ///   - lastReceived: When bytes last came.
    ///   - isKernelSilent: Whether the peer's kernel left data unacknowledged for ``silenceMilliseconds``.
    mutating func look(at now: HostTime, lastReceived: HostTime, isKernelSilent: Bool) -> Verdict {
        // This process slept: what the peer sent meanwhile may still wait to be read.
        let isLate = now.nanoseconds(since: expectedLook) > Self.interval
        if !isLate {
            if isKernelSilent { return .dead }
            if !isGreeted, now.nanoseconds(since: start) >= Self.handshakeLimit { return .silentHandshake }
            if now.nanoseconds(since: lastReceived) >= Self.stallLimit { return .stalled }
        }
        let pause = lookCount < Self.firstIntervals.count ? Self.firstIntervals[lookCount] : Self.interval
        lookCount += 1
        expectedLook = now.advanced(by: pause)
        return .alive(nextLook: expectedLook)
    }
}
