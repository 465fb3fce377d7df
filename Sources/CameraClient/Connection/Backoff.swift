/// The pauses between attempts to connect: from 0.1 s up to 5 s, doubled each time, with jitter, so that the clients
/// of a server that comes back do not all come at once.
struct Backoff: Sendable {
    /// The shortest pause, in nanoseconds.
    static let shortest: UInt64 = 100_000_000
    /// The longest pause, in nanoseconds.
    static let longest: UInt64 = 5_000_000_000

    private var ceiling = 2 * shortest

    /// The pause before the next attempt, in nanoseconds.
    ///
    /// - Parameter random: 0 up to 1.
    mutating func nextDelay(random: Double) -> UInt64 {
        defer { ceiling = min(2 * ceiling, Self.longest) }
        return UInt64(Double(ceiling) * (0.5 + min(max(random, 0), 1) / 2))
    }

    /// Begins again with the shortest pause, after things went well.
    mutating func reset() {
        ceiling = 2 * Self.shortest
    }
}
