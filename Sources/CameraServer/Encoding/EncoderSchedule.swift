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
    private(set) var jobCount = 0

    init(encoderCount: Int) {
        self.encoderCount = encoderCount
    }

    /// Whose turn it is among those that have something to encode; `nil` if all encoders are busy.
    ///
    /// - Parameter ready: The renditions with a frame that waits, and whether they want every frame. For those one
    ///   job more per encoder may be queued: nothing gets old by it, and no encoder waits for the next job.
    mutating func next(_ ready: [(turn: Turn, isOrdered: Bool)]) -> Turn? {
        guard jobCount < 2 * encoderCount else { return nil }
        let turns = ready.filter { jobCount < encoderCount || $0.isOrdered }.map(\.turn)
        let following = last.map { last in turns.filter { $0 > last } } ?? []
        guard let turn = following.min() ?? turns.min() else { return nil }
        last = turn
        jobCount += 1
        return turn
    }

    /// An encoder is done with a job.
    mutating func finished() {
        jobCount -= 1
    }
}
