/// How much an output wants of its input at the moment: what paces a file, and lets an input rest while nobody looks.
public struct CaptureDemand: Sendable, Hashable {
    /// How many consumers have come so far, those that left included; a file at its end starts again when it grows.
    public var arrivals: UInt64
    /// Consumers that want the newest frame and let others go.
    public var latestCount: Int
    /// Whether one of those could take a frame now.
    public var isLatestReady: Bool
    /// Consumers that want every frame.
    public var orderedCount: Int
    /// Whether all of those have room for another frame.
    public var isOrderedReady: Bool

    /// Creates a demand; without arguments, none.
    public init(
        arrivals: UInt64 = 0, latestCount: Int = 0, isLatestReady: Bool = false, orderedCount: Int = 0,
        isOrderedReady: Bool = true
    ) {
        self.arrivals = arrivals
        self.latestCount = latestCount
        self.isLatestReady = isLatestReady
        self.orderedCount = orderedCount
        self.isOrderedReady = isOrderedReady
    }

    /// Whether anybody looks.
    public var isWanted: Bool { latestCount + orderedCount > 0 }

    /// The demand of two outputs together.
    public mutating func add(_ other: CaptureDemand) {
        arrivals &+= other.arrivals
        latestCount += other.latestCount
        isLatestReady = isLatestReady || other.isLatestReady
        orderedCount += other.orderedCount
        isOrderedReady = isOrderedReady && other.isOrderedReady
    }
}
