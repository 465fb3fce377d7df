import CameraProtocol

/// Turns a driver's 32-bit frame counter into a sequence from 0, and tells what was lost: a value.
struct V4L2SequenceTracker {
    private var lastOfDriver: UInt32?
    private var next: UInt64 = 0
    private var isTrusted = true

    /// A frame came.
    ///
    /// A driver whose counter stands still or goes back is not believed from then on: its frames are counted here.
    /// - Parameter counter: The driver's number of the frame.
    /// - Returns: The frame's sequence, and how many were lost in front of it.
    mutating func received(counter: UInt32) -> (sequence: UInt64, lost: UInt64) {
        var lost: UInt64 = 0
        if isTrusted, let last = lastOfDriver {
            let step = counter &- last
            if step == 0 || step > UInt32.max / 2 { isTrusted = false } else { lost = UInt64(step) - 1 }
        }
        lastOfDriver = counter
        let sequence = next + lost
        next = sequence + 1
        return (sequence, lost)
    }
}
