/// A frame interval as a fraction of a second: `FrameDuration(1, 15)` is a fifteenth.
public struct FrameDuration: Sendable, Hashable {
    /// The frame rate of which this is the interval.
    public var frameRate: FrameRate

    /// Creates the interval of a rate.
    public init(_ frameRate: FrameRate) {
        self.frameRate = frameRate
    }

    /// Creates an interval of `value / timescale` seconds.
    ///
    /// - Precondition: Both are above 0.
    public init(_ value: UInt32, _ timescale: UInt32) {
        guard let frameRate = FrameRate(timescale, value) else {
            preconditionFailure("a frame duration of \(value)/\(timescale) s is not above 0")
        }
        self.frameRate = frameRate
    }

    /// The interval in nanoseconds, rounded to the nearest.
    public var nanoseconds: UInt64 { frameRate.intervalNanoseconds }
}
