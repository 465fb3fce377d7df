import CameraMedia

/// Names files after what they show: capture time in UTC, then sequence, so that names sort by time.
enum FrameFileName {
    /// `frame-20261130T184712.123456Z-00000123`, without an ending.
    static func stem(of frame: SampleBuffer) -> String {
        let time = UTCTime(nanoseconds: frame.captureTime.utcNanoseconds)
        let sequence = String(frame.sequence)
        let zeros = String(repeating: "0", count: max(0, 8 - sequence.count))
        return "frame-\(time.compact)-\(zeros)\(sequence)"
    }
}
