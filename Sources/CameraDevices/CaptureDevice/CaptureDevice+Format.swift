public import CameraCapture

extension CaptureDevice {
    /// A pixel format at one size, with the rates it comes in.
    public struct Format: Sendable, Hashable {
        /// The driver's four-character code.
        public let fourCC: FourCC
        /// What the driver calls the pixel format.
        public let localizedName: String
        /// The size of its pictures.
        public let size: PixelSize
        /// How pictures come: raw, or the camera's own JPEG.
        public let codec: ImageCodec
        /// The layout of raw pictures; `nil` for JPEG.
        public let pixelFormat: PixelFormat?
        /// The rates; a single rate is a range from itself to itself. Empty if the driver does not say.
        public let videoSupportedFrameRateRanges: [FrameRateRange]
    }

    /// Frame rates from one to another, both included.
    public struct FrameRateRange: Sendable, Hashable {
        /// The lowest rate.
        public let minFrameRate: FrameRate
        /// The highest rate.
        public let maxFrameRate: FrameRate
        /// The interval of the highest rate.
        public var minFrameDuration: FrameDuration { FrameDuration(maxFrameRate) }
        /// The interval of the lowest rate.
        public var maxFrameDuration: FrameDuration { FrameDuration(minFrameRate) }
    }
}

extension CaptureDevice.Format: CustomStringConvertible {
    /// `MJPG 1280x720`, with the rates.
    public var description: String {
        let ranges = videoSupportedFrameRateRanges.map { range in
            range.minFrameRate == range.maxFrameRate
                ? "\(range.maxFrameRate)" : "\(range.minFrameRate) to \(range.maxFrameRate)"
        }
        return "\(fourCC) \(size)" + (ranges.isEmpty ? "" : " at \(ranges.joined(separator: ", ")) frames a second")
    }
}

extension CaptureDevice.Format {
    /// The formats that one pixel format of a driver comes in; none if it cannot be captured.
    static func formats(_ capability: V4L2Capability) -> [Self] {
        guard let encoding = V4L2Encoding(capability.fourCC) else { return [] }
        return capability.sizes.flatMap { option in
            option.size.representatives.map { size in
                Self(
                    fourCC: capability.fourCC, localizedName: capability.description, size: size,
                    codec: encoding.codec, pixelFormat: encoding.pixelFormat,
                    videoSupportedFrameRateRanges: option.rates.ranges)
            }
        }
    }

    /// Whether a rate lies within what the format has, 29.97 taken for 30; any does if that is not known.
    func supports(_ rate: FrameRate) -> Bool {
        guard let lowest = videoSupportedFrameRateRanges.map(\.minFrameRate).min(),
            let highest = videoSupportedFrameRateRanges.map(\.maxFrameRate).max()
        else { return true }
        return highest.reaches(rate) && rate.reaches(lowest)
    }

    /// The highest rate of the format that is not above `limit`, or its lowest.
    func highestRate(upTo limit: FrameRate) -> FrameRate {
        let rates = videoSupportedFrameRateRanges.compactMap { range -> FrameRate? in
            limit.reaches(range.minFrameRate) ? min(range.maxFrameRate, max(limit, range.minFrameRate)) : nil
        }
        return rates.max() ?? videoSupportedFrameRateRanges.map(\.minFrameRate).min() ?? limit
    }
}

extension SizeRange {
    /// Sizes to choose from: the only one, or those of the session presets and the largest.
    fileprivate var representatives: [PixelSize] {
        guard !isFixed else { return [maximum] }
        var sizes: [PixelSize] = []
        for size in SessionPreset.allCases.compactMap(\.maximumSize) + [maximum]
        where contains(size) && size.pixelCount <= Limits.pixelCount && !sizes.contains(size) {
            sizes.append(size)
        }
        return sizes.sorted { $0.pixelCount < $1.pixelCount }
    }
}

extension RateOptions {
    fileprivate var ranges: [CaptureDevice.FrameRateRange] {
        switch self {
        case .unknown: []
        case .discrete(let rates):
            rates.sorted(by: >).map { CaptureDevice.FrameRateRange(minFrameRate: $0, maxFrameRate: $0) }
        case .range(let low, let high): [CaptureDevice.FrameRateRange(minFrameRate: low, maxFrameRate: high)]
        }
    }
}
