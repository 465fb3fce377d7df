import CameraProtocol

/// The choice of what to ask a camera for: pixel format, size and rate.
struct V4L2FormatChoice: Hashable {
    var fourCC: FourCC
    var size: PixelSize
    /// `nil` if the driver does not list rates.
    var frameRate: FrameRate?

    /// Chooses among what a camera has; deterministic.
    ///
    /// The rate counts first: the one wanted, or the most that the camera has. Then the size: the one of which most is
    /// left within the bound, and of those the smallest. Then a rate that needs no thinning out, then the cheapest
    /// pixel format, then the driver's own order.
    ///
    /// - Parameters:
    ///   - capabilities: What the driver lists; formats that are not handled are passed over.
    ///   - bound: The most that is wanted of the size; `nil`: the largest size there is.
    ///   - wanted: The rate wanted; `nil`: 30.
    /// - Returns: `nil` if there is nothing that is handled.
    static func choose(from capabilities: [V4L2Capability], bound: PixelSize?, rate wanted: FrameRate?) -> Self? {
        var candidates = makeCandidates(capabilities, bound: bound, rate: wanted ?? .thirty)
        if bound == nil, let most = candidates.map({ $0.choice.size.pixelCount }).max() {
            candidates.removeAll { $0.choice.size.pixelCount < most }
        }
        return candidates.min { $0.isPreferred(to: $1) }?.choice
    }

    private struct Candidate {
        var choice: V4L2FormatChoice
        var cost: Int
        /// What of the wanted rate is reached, in thousandths of a frame a second.
        var reachedRate: UInt64
        /// What goes beyond the wanted rate.
        var excessRate: UInt64
        /// Pixels that are left when the picture is fitted within the bound.
        var usedPixels: UInt64

        func isPreferred(to other: Candidate) -> Bool {
            if reachedRate != other.reachedRate { return reachedRate > other.reachedRate }
            if usedPixels != other.usedPixels { return usedPixels > other.usedPixels }
            let (pixels, otherPixels) = (choice.size.pixelCount, other.choice.size.pixelCount)
            if pixels != otherPixels { return pixels < otherPixels }
            if excessRate != other.excessRate { return excessRate < other.excessRate }
            return cost < other.cost
        }
    }

    private static func makeCandidates(
        _ capabilities: [V4L2Capability], bound: PixelSize?, rate wanted: FrameRate
    ) -> [Candidate] {
        capabilities.flatMap { capability -> [Candidate] in
            guard let encoding = V4L2Encoding(capability.fourCC) else { return [] }
            return capability.sizes.map { option in
                let size = option.size.largest(within: bound)
                let rate = option.rates.best(for: wanted)
                let target = UInt64(wanted.framesPerSecond * 1000)
                // An unknown rate is given the benefit of the doubt, but behind those that are known to do.
                let actual = rate.map { $0.reaches(wanted) ? max(target, $0.thousandths) : $0.thousandths }
                return Candidate(
                    choice: V4L2FormatChoice(fourCC: capability.fourCC, size: size, frameRate: rate),
                    cost: encoding.cost, reachedRate: min(actual ?? target - min(target, 1), target),
                    excessRate: (actual ?? target) - min(actual ?? target, target),
                    usedPixels: bound.map { size.fitted(within: $0).pixelCount } ?? size.pixelCount)
            }
        }
    }
}

extension FrameRate {
    fileprivate var thousandths: UInt64 { UInt64(framesPerSecond * 1000) }
}
