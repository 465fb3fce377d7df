import Foundation
import TestSupport

/// One line of `camclient --json`.
struct FrameReport: Decodable {
    let sequence: UInt64
    let epoch: UInt64
    let captureTime: String
    let ageMilliseconds: Double
    let width: Int
    let height: Int
    let codec: String
    let byteCount: Int
    let dropped: [String: UInt64]
    let file: String?

    /// When the frame was captured, in the clock of this machine.
    var captured: Date {
        get throws { try Date(captureTime, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
    }

    /// The lines of a program's output that are frames.
    static func all(in output: String) throws -> [FrameReport] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(FrameReport.self, from: Data($0.utf8)) }
    }
}

extension [FrameReport] {
    /// The pairs of neighbours within an epoch whose gap in the sequence differs from the drops reported.
    var unexplainedGaps: [String] {
        zip(self, dropFirst()).compactMap { earlier, later in
            guard earlier.epoch == later.epoch else { return nil }
            let dropped = later.dropped.values.reduce(0, +)
            guard later.sequence != earlier.sequence + 1 + dropped else { return nil }
            return "\(earlier.sequence) to \(later.sequence) with \(later.dropped)"
        }
    }

    /// The frames that were captured after one moment and before another.
    func captured(after start: Date, before end: Date) throws -> [FrameReport] {
        try filter { report in
            let time = try report.captured
            return start < time && time < end
        }
    }
}

/// A picture file as an independent program sees it.
struct SavedPicture {
    /// What ffprobe calls the codec.
    let codec: String
    let width: Int
    let height: Int

    /// Opens a file with ffprobe.
    init(opening path: String) async throws {
        let probe = try await Program.tool("ffprobe").run(
            ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path])
        let fields = probe.text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",")
        guard probe.status == .exited(0), fields.count == 3, let width = Int(fields[1]), let height = Int(fields[2])
        else { throw NotDecodable(path: path, reason: probe.standardError) }
        (codec, self.width, self.height) = (String(fields[0]), width, height)
    }

    /// The luma of a file as ffmpeg decodes it, rows without padding.
    static func luma(of path: String) async throws -> [UInt8] {
        let decoded = try await Program.tool("ffmpeg").run(
            ["-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo", "-"])
        guard decoded.status == .exited(0), decoded.standardError.isEmpty, !decoded.standardOutput.isEmpty else {
            throw NotDecodable(path: path, reason: decoded.standardError)
        }
        return decoded.standardOutput
    }
}

/// An independent decoder refuses a file.
struct NotDecodable: Error {
    let path: String
    let reason: String
}
