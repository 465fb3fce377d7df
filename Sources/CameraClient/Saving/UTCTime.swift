import Foundation

/// A moment in UTC as text, to the microsecond.
package struct UTCTime: Sendable, Hashable {
    private let nanoseconds: UInt64

    /// A moment by its nanoseconds since 1970.
    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// `20261130T184712.123456Z`: ISO 8601, basic, for file names.
    package var compact: String { text(date: "", time: "") }

    /// `2026-11-30T18:47:12.123456Z`: RFC 3339.
    package var rfc3339: String { text(date: "-", time: ":") }

    private func text(date dash: String, time colon: String) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = [
            digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2),
        ].joined(separator: dash)
        let time = [digits(parts.tm_hour, 2), digits(parts.tm_min, 2), digits(parts.tm_sec, 2)]
            .joined(separator: colon)
        return "\(day)T\(time).\(digits(Int32(nanoseconds % 1_000_000_000 / 1000), 6))Z"
    }

    private func digits(_ value: Int32, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
