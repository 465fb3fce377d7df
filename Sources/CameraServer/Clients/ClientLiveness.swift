import CameraMedia

/// Tells a client that is merely stopped from one that is gone.
struct ClientLiveness: Sendable {
    /// What the owner has to do.
    enum Verdict: Sendable, Equatable {
        case fine
        /// Nothing was heard for a while: ask.
        case ping
        /// It never said hello.
        case silentAtStart
        /// Its kernel does not answer.
        case dead
        /// Its kernel answers, but nothing has moved for too long.
        case stalled
    }

    /// A client has so long to say hello.
    static let handshakeLimit: UInt64 = 5_000_000_000
    /// A peer whose kernel leaves data unacknowledged for so long, with its window open, is dead.
    static let silenceMilliseconds: UInt32 = 5_000
    private static let pingInterval: UInt64 = 5_000_000_000

    let stallLimit: UInt64
    private let start: HostTime
    private var lastPing: HostTime

    /// - Parameter stallLimit: How long a connection may stand still, in nanoseconds.
    init(at now: HostTime, stallLimit: UInt64 = 60_000_000_000) {
        start = now
        lastPing = now
        self.stallLimit = stallLimit
    }

    /// Judges once a second.
    mutating func judge(
        at now: HostTime, lastActivity: HostTime, isActive: Bool, isPeerSilent: Bool
    ) -> Verdict {
        if isPeerSilent { return .dead }
        guard isActive else {
            return now.nanoseconds(since: start) >= Self.handshakeLimit ? .silentAtStart : .fine
        }
        if now.nanoseconds(since: lastActivity) >= stallLimit { return .stalled }
        if now.nanoseconds(since: max(lastActivity, lastPing)) >= Self.pingInterval {
            lastPing = now
            return .ping
        }
        return .fine
    }
}
