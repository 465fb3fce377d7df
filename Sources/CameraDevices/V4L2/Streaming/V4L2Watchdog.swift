import CameraMedia
import CameraProtocol

/// Tells a camera that has stalled from one that is slow: a value without clocks.
struct V4L2Watchdog {
    private let limit: UInt64
    private var deadline: HostTime

    /// Begins to wait for the first frame.
    ///
    /// - Parameters:
    ///   - frameRate: The nominal rate; a long exposure may lower it, so that five seconds are allowed at least.
    ///   - now: The present.
    init(frameRate: FrameRate?, now: HostTime) {
        limit = max(5_000_000_000, 10 * (frameRate ?? .thirty).intervalNanoseconds)
        // A camera may need to warm up.
        deadline = now.advanced(by: 2 * limit)
    }

    /// When the camera counts as stalled.
    var stallsAt: HostTime { deadline }

    /// The camera lives, or has no buffer that it could fill.
    mutating func reset(now: HostTime) {
        deadline = now.advanced(by: limit)
    }
}
