import CameraMedia
import CameraProtocol

/// When each frame of a source with a fixed rate is due; exact over any length of time.
struct FrameClock {
    /// When frame 0 is due.
    let start: HostTime
    let rate: FrameRate

    /// When a frame is due, rounded down to the nanosecond.
    func time(of frame: UInt64) -> HostTime {
        start.advanced(by: rate.time(ofFrame: frame))
    }

    /// The newest frame that is due at a time; 0 before the start.
    func frame(at time: HostTime) -> UInt64 {
        let elapsed = UInt128(time.nanoseconds(since: start))
        var frame = UInt64(
            truncatingIfNeeded: elapsed * UInt128(rate.numerator) / (UInt128(rate.denominator) * 1_000_000_000))
        // A due time was rounded down, so the next frame may be due already.
        if self.time(of: frame &+ 1) <= time { frame &+= 1 }
        return frame
    }
}
