import CameraMedia
import CameraProtocol

/// Chooses between WebP and JPEG for one camera and size: WebP as long as the encoders keep up with it.
struct AutomaticCodec: Sendable {
    /// A change of mind, for the log.
    struct Change: Sendable, Equatable {
        let codec: ImageCodec
        let reason: String
    }

    private static let second: UInt64 = 1_000_000_000
    /// A decision holds 10 s at least, and twice as long each time that WebP fails again, up to 320 s.
    private static let holds: [UInt64] = [10, 20, 40, 80, 160, 320]

    private(set) var codec = ImageCodec.webp
    private var windowEnd: HostTime?
    private var holdEnd: HostTime?
    private var failures = 0
    private var wanted = 0
    private var busy = 0

    /// What became of a frame that a client with credit wanted: sent, or too late for want of an encoder.
    mutating func counted(encoderBusy: Bool) {
        wanted += 1
        if encoderBusy { busy += 1 }
    }

    /// Judges the last second, if one is over.
    mutating func judge(at now: HostTime) -> Change? {
        guard let end = windowEnd else {
            windowEnd = now.advanced(by: Self.second)
            return nil
        }
        guard now >= end else { return nil }
        defer {
            windowEnd = now.advanced(by: Self.second)
            wanted = 0
            busy = 0
        }
        switch codec {
        case .webp where busy * 20 >= wanted && busy > 0:
            codec = .jpeg
            holdEnd = now.advanced(by: Self.holds[min(failures, Self.holds.count - 1)] * Self.second)
            failures += 1
            return Change(codec: .jpeg, reason: "WebP did not keep up: \(busy) of \(wanted) frames in a second")
        case .jpeg where now >= holdEnd ?? now:
            codec = .webp
            return Change(codec: .webp, reason: "trying WebP again")
        default:
            return nil
        }
    }
}
