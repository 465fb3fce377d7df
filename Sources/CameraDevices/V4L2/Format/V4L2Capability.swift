package import CameraProtocol

/// One pixel format of a device with its sizes and rates, as the driver lists them.
package struct V4L2Capability: Sendable, Hashable {
    package var fourCC: FourCC
    /// What the driver calls it.
    package var description: String
    package var sizes: [SizeOption]

    /// A size, or a range of sizes, with its rates.
    package struct SizeOption: Sendable, Hashable {
        package var size: SizeRange
        package var rates: RateOptions
    }

    /// Whether frames of it can be captured.
    package var isSupported: Bool { V4L2Encoding(fourCC) != nil }
}

/// A size, or all sizes in steps between two.
package struct SizeRange: Sendable, Hashable {
    package var minimum: PixelSize
    package var maximum: PixelSize
    var step: PixelSize

    init(_ size: PixelSize) {
        self.init(minimum: size, maximum: size, step: PixelSize(width: 1, height: 1))
    }

    init(minimum: PixelSize, maximum: PixelSize, step: PixelSize) {
        self.minimum = minimum
        self.maximum = PixelSize(width: max(minimum.width, maximum.width), height: max(minimum.height, maximum.height))
        self.step = PixelSize(width: max(1, step.width), height: max(1, step.height))
    }

    package var isFixed: Bool { minimum == maximum }

    /// The largest size of the range within `bound`, or its smallest if there is none.
    func largest(within bound: PixelSize?) -> PixelSize {
        guard let bound else { return maximum }
        return PixelSize(
            width: Self.largest(minimum.width, maximum.width, step.width, within: bound.width),
            height: Self.largest(minimum.height, maximum.height, step.height, within: bound.height))
    }

    private static func largest(_ low: UInt32, _ high: UInt32, _ step: UInt32, within bound: UInt32) -> UInt32 {
        guard bound > low else { return low }
        return low + (min(bound, high) - low) / step * step
    }

    func contains(_ size: PixelSize) -> Bool {
        largest(within: size) == size
    }
}

/// The rates a driver offers at a size.
package enum RateOptions: Sendable, Hashable {
    /// The driver does not say.
    case unknown
    /// Exactly these.
    case discrete([FrameRate])
    /// All from the first to the second.
    case range(FrameRate, FrameRate)

    /// The rate to ask for when `wanted` is wanted: the lowest that reaches it, else the highest; `nil` if unknown.
    func best(for wanted: FrameRate) -> FrameRate? {
        switch self {
        case .unknown: nil
        case .discrete(let rates): rates.filter { $0.reaches(wanted) }.min() ?? rates.max()
        case .range(let low, let high): min(max(wanted, low), high)
        }
    }

    /// The highest rate; `nil` if unknown.
    var highest: FrameRate? {
        switch self {
        case .unknown: nil
        case .discrete(let rates): rates.max()
        case .range(_, let high): high
        }
    }
}

extension FrameRate {
    /// Whether this is at least `wanted`, 29.97 taken for 30.
    func reaches(_ wanted: FrameRate) -> Bool {
        framesPerSecond * 1.002 >= wanted.framesPerSecond
    }
}
