/// Decides what follows when a connection fails or breaks.
struct ConnectionPolicy: Sendable {
    /// What follows.
    enum Verdict: Sendable, Hashable {
        /// Connect again after this many nanoseconds.
        case retry(after: UInt64)
        /// Tell the consumer.
        case giveUp
    }

    private let reconnects: Bool
    private var backoff = Backoff()
    private var hasSubscribed = false
    private var isGreeted = false

    init(reconnects: Bool) {
        self.reconnects = reconnects
    }

    /// A connection attempt begins.
    mutating func connecting() {
        isGreeted = false
    }

    /// The server's welcome came.
    mutating func greeted() {
        isGreeted = true
    }

    /// The server granted the stream.
    mutating func subscribed() {
        hasSubscribed = true
    }

    /// A frame came: the next pause is a short one.
    mutating func received() {
        backoff.reset()
    }

    /// The attempt failed, or the connection broke.
    ///
    /// - Parameter random: 0 up to 1.
    mutating func failed(_ error: RemoteCameraError, random: Double) -> Verdict {
        guard reconnects, isTransient(error) else { return .giveUp }
        return .retry(after: backoff.nextDelay(random: random))
    }

    private func isTransient(_ error: RemoteCameraError) -> Bool {
        switch error.code {
        case .unreachable, .disconnected, .serverFull: true
        // The name, the camera or the protocol was right before: the server or the resolver is being set up.
        case .unknownHost, .unknownCamera: hasSubscribed
        case .protocolViolation: hasSubscribed && isGreeted
        default: false
        }
    }
}
