/// Serves the renditions of all cameras in turn, one job each, so that a costly one starves nobody.
struct EncoderSchedule: Sendable {
    /// A rendition of a camera.
    struct Turn: Sendable, Hashable, Comparable {
        let camera: Int
        let rendition: UInt64

        static func < (first: Turn, second: Turn) -> Bool {
            (first.rendition, first.camera) < (second.rendition, second.camera)
        }
    }

    private let encoderCount: Int
    private var last: Turn?
    private var latestCount = 0
    private var orderedCount = 0

    init(encoderCount: Int) {
        self.encoderCount = encoderCount
    }

    /// Whose turn it is among those that have something to encode; `nil` if all encoders are busy.
    ///
    /// Streams that want every frame may have one job more for each encoder queued, as long as no other waits: nothing
    /// gets old by it, and no encoder waits for the next job.
    /// - Parameter ready: The renditions with a frame that waits, and whether they want every frame.
    mutating func next(_ ready: [(turn: Turn, isOrdered: Bool)]) -> Turn? {
        let jobCount = latestCount + orderedCount
        let latestWaits = ready.contains { !$0.isOrdered }
        let eligible = ready.filter { rendition in
            if rendition.isOrdered { return jobCount < (latestWaits ? encoderCount : 2 * encoderCount) }
            return latestCount < encoderCount
        }
        let following = last.map { last in eligible.filter { $0.turn > last } } ?? []
        guard let next = following.min(by: { $0.turn < $1.turn }) ?? eligible.min(by: { $0.turn < $1.turn }) else {
            return nil
        }
        last = next.turn
        if next.isOrdered { orderedCount += 1 } else { latestCount += 1 }
        return next.turn
    }

    /// An encoder is done with a job.
    mutating func finished(isOrdered: Bool) {
        if isOrdered { orderedCount -= 1 } else { latestCount -= 1 }
    }
}
