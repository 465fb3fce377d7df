/// Frames a second as a fraction, so that 30000/1001 is exact.
public struct FrameRate: Sendable, Hashable {
    /// Frames.
    public var numerator: UInt32
    /// In so many seconds; never 0.
    public var denominator: UInt32

    /// Creates a rate.
    ///
    /// - Returns: `nil` if either part is 0.
    public init?(_ numerator: UInt32, _ denominator: UInt32 = 1) {
        guard numerator > 0, denominator > 0 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    private init(checked numerator: UInt32) {
        self.numerator = numerator
        self.denominator = 1
    }

    /// 30 frames a second.
    public static let thirty = FrameRate(checked: 30)

    /// Frames a second, for display.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    /// The time between two frames, in nanoseconds, rounded to the nearest, at least 1.
    public var intervalNanoseconds: UInt64 {
        max(1, (UInt64(denominator) * 1_000_000_000 + UInt64(numerator) / 2) / UInt64(numerator))
    }

    /// When a frame comes, in nanoseconds after frame 0, rounded down; does not drift.
    public func time(ofFrame sequence: UInt64) -> UInt64 {
        UInt64(truncatingIfNeeded: UInt128(sequence) * UInt128(denominator) * 1_000_000_000 / UInt128(numerator))
    }
}

extension FrameRate: Comparable {
    /// Orders by frames a second.
    public static func < (first: FrameRate, second: FrameRate) -> Bool {
        UInt64(first.numerator) * UInt64(second.denominator) < UInt64(second.numerator) * UInt64(first.denominator)
    }
}

extension FrameRate: CustomStringConvertible {
    /// `30`, `29.97` or `12.5`, below 0.01 `1/1000`: what `--fps` takes.
    public var description: String {
        if numerator % denominator == 0 { return "\(numerator / denominator)" }
        let hundredths = (framesPerSecond * 100).rounded()
        guard hundredths >= 1 else { return "\(numerator)/\(denominator)" }
        let whole = Int(hundredths) / 100
        let fraction = Int(hundredths) % 100
        return fraction % 10 == 0 ? "\(whole).\(fraction / 10)" : "\(whole).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

extension FrameRate {
    /// Reads `30`, `29.97`, `12.5` or `30000/1001`.
    ///
    /// The broadcast rates 23.976, 29.97 and 59.94 become their exact fractions.
    /// - Returns: `nil` if the text is no rate from 0.001 to 1000.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let rate: FrameRate?
        switch (parts.count, text) {
        case (2, _):
            guard let numerator = UInt32(parts[0]), let denominator = UInt32(parts[1]) else { return nil }
            rate = FrameRate(numerator, denominator)
        case (1, "23.976"), (1, "23.98"): rate = FrameRate(24000, 1001)
        case (1, "29.97"): rate = FrameRate(30000, 1001)
        case (1, "59.94"): rate = FrameRate(60000, 1001)
        case (1, _):
            guard let value = Double(text), value >= 0.001, value <= 1000 else { return nil }
            let thousandths = UInt32((value * 1000).rounded())
            rate = thousandths % 1000 == 0 ? FrameRate(thousandths / 1000) : FrameRate(thousandths, 1000)
        default: return nil
        }
        guard let rate, rate.framesPerSecond >= 0.001, rate.framesPerSecond <= 1000 else { return nil }
        self = rate
    }
}
