import Glibc

/// A moment of this machine's monotonic clock (`CLOCK_MONOTONIC`), the clock of V4L2's buffers.
public struct HostTime: Sendable, Hashable {
    /// Nanoseconds since an arbitrary start, usually boot.
    public var nanoseconds: UInt64

    /// Creates a moment.
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The present.
    public static func now() -> HostTime {
        HostTime(nanoseconds: read(CLOCK_MONOTONIC))
    }

    /// The moment `nanoseconds` later.
    public func advanced(by nanoseconds: UInt64) -> HostTime {
        HostTime(nanoseconds: self.nanoseconds &+ nanoseconds)
    }

    /// Nanoseconds from `earlier` to this moment; 0 if `earlier` is later.
    public func nanoseconds(since earlier: HostTime) -> UInt64 {
        nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0
    }

    /// The time from `earlier` to this moment; negative if `earlier` is later.
    public func duration(since earlier: HostTime) -> Duration {
        .nanoseconds(Int64(bitPattern: nanoseconds &- earlier.nanoseconds))
    }

    fileprivate static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension HostTime: Comparable {
    /// Earlier moments come first.
    public static func < (first: HostTime, second: HostTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }
}

/// When a picture was taken, by this machine's clocks.
public struct CaptureTime: Sendable, Hashable {
    /// By the monotonic clock; never goes backwards within an epoch.
    public var host: HostTime
    /// Nanoseconds since 1970 UTC, by the wall clock; may be stepped.
    public var utcNanoseconds: UInt64

    /// Creates a capture time.
    public init(host: HostTime, utcNanoseconds: UInt64) {
        self.host = host
        self.utcNanoseconds = utcNanoseconds
    }

    /// The capture time of a moment in the past, its UTC by the wall clock as it stands now.
    public init(at host: HostTime) {
        let now = CaptureTime.now()
        self.init(host: host, utcNanoseconds: now.utcNanoseconds &- now.host.nanoseconds &+ host.nanoseconds)
    }

    /// The present.
    public static func now() -> CaptureTime {
        CaptureTime(host: .now(), utcNanoseconds: HostTime.read(CLOCK_REALTIME))
    }
}
