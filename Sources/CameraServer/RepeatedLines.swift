import CameraMedia

/// Keeps a fault that happens again and again from flooding the log: said once, then counted for a minute.
struct RepeatedLines: Sendable {
    private struct Entry {
        var since: HostTime
        var count = 0
    }

    private static let interval: UInt64 = 60_000_000_000
    /// More different faults than this within a minute are counted as one.
    private static let limit = 64
    private static let others = "other faults"

    private var entries: [String: Entry] = [:]

    /// Whether a line is to be logged now.
    mutating func occurred(_ line: String, at now: HostTime) -> Bool {
        if entries[line] != nil {
            entries[line]?.count += 1
            return false
        }
        guard entries.count < Self.limit else {
            entries[Self.others, default: Entry(since: now)].count += 1
            return false
        }
        entries[line] = Entry(since: now)
        return true
    }

    /// Lines that say how often each fault came again, once its minute is over.
    mutating func summaries(at now: HostTime) -> [String] {
        var lines: [String] = []
        for (line, entry) in entries where now.nanoseconds(since: entry.since) >= Self.interval {
            entries[line] = nil
            if entry.count > 0 { lines.append("\(line) (\(entry.count) times more in the last minute)") }
        }
        return lines
    }
}
