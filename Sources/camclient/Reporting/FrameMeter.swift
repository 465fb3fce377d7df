import CameraClient

/// Counts frames, and what was lost on the way, for people.
struct FrameMeter: Sendable {
    private struct Arrival {
        let time: HostTime
        let byteCount: Int
        let age: UInt64
    }

    private(set) var deliveredCount = 0
    var keptCount = 0
    private var drops = DropCounts()
    private var first: HostTime?
    private var last: HostTime?
    private var recent: [Arrival] = []
    private var description = ""

    /// A frame came.
    mutating func delivered(_ frame: SampleBuffer, age: UInt64, at now: HostTime) {
        deliveredCount += 1
        first = first ?? now
        last = now
        drops.add(frame.drops)
        let byteCount = frame.transfer?.byteCount ?? 0
        description = "\(frame.size) \(frame.transfer?.codec.name ?? "")"
        recent.append(Arrival(time: now, byteCount: byteCount, age: age))
        if recent.count > 4096 { recent.removeFirst(2048) }
    }

    /// How it goes at the moment, looking back for `window` nanoseconds.
    mutating func line(at now: HostTime, window: UInt64) -> String {
        recent.removeAll { now.nanoseconds(since: $0.time) > window }
        guard deliveredCount > 0 else { return "no frame yet" }
        let seconds = Double(min(window, now.nanoseconds(since: first ?? now) + 1)) / 1e9
        var parts = ["\(deliveredCount) frames"]
        if !description.isEmpty { parts.append(description) }
        parts.append("\(decimal(Double(recent.count) / seconds)) fps")
        let bytes = recent.reduce(0) { $0 + $1.byteCount }
        if bytes > 0 { parts.append("\(decimal(Double(bytes) / seconds / 1e6)) MB/s") }
        if !recent.isEmpty {
            let age = recent.map { Double($0.age) }.reduce(0, +) / Double(recent.count)
            parts.append("age \(decimal(age / 1e6)) ms")
        }
        parts.append(dropText)
        return parts.joined(separator: ", ")
    }

    /// How it went.
    func summary(directory: String?) -> String {
        let seconds = Double((last ?? HostTime(nanoseconds: 0)).nanoseconds(since: first ?? .now())) / 1e9
        var text = "\(deliveredCount) frames"
        if seconds > 0 {
            text += " in \(decimal(seconds)) s (\(decimal(Double(deliveredCount - 1) / seconds)) fps)"
        }
        text += ", \(dropText)"
        if let directory { text += "; \(keptCount) saved in \(directory)" }
        return text
    }

    private var dropText: String { drops.isEmpty ? "none dropped" : "\(drops.total) dropped (\(drops))" }
}

/// One digit after the point.
private func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "?" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
}
