import CameraCapture
import CameraProtocol

extension CaptureFormat {
    /// For logs: `1280x720 i420 at 30 frames a second`.
    var summary: String {
        let layout = codec == .raw ? pixelFormat?.name ?? "raw" : codec.name
        let rate = frameRate.map { " at \($0) frames a second" } ?? ""
        return "\(size) \(layout)\(rate)"
    }
}

extension Duration {
    /// Whole nanoseconds; 0 if negative.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

extension String {
    /// An address without its port, so that the same fault of the same machine counts as one.
    var withoutPort: String {
        guard let colon = lastIndex(of: ":"), !hasPrefix("unix:") else { return self }
        return String(self[..<colon])
    }
}
