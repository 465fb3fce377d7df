import CameraClient
import Foundation

/// Writes an object for each frame to standard output, one a line.
final class FrameLog: Sendable {
    private struct Entry: Encodable {
        let sequence: UInt64
        let epoch: UInt64
        let captureTime: String
        let ageMilliseconds: Double
        let width: UInt32
        let height: UInt32
        let codec: String
        let byteCount: Int
        let dropped: [String: UInt64]
        let file: String?
    }

    private let queue = BlockingQueue("camclient.log")
    private let output = JSONLines()

    /// Writes a frame's line.
    ///
    /// - Parameters:
    ///   - age: In nanoseconds.
    ///   - path: The file that the frame was saved to.
    /// - Returns: `false` if nobody reads any more.
    func write(_ frame: SampleBuffer, age: UInt64, path: String?) async throws -> Bool {
        guard let transfer = frame.transfer else { return true }
        let entry = Entry(
            sequence: frame.sequence, epoch: frame.epoch,
            captureTime: UTCTime(nanoseconds: frame.captureTime.utcNanoseconds).rfc3339,
            ageMilliseconds: (Double(age) / 1e3).rounded() / 1e3, width: frame.size.width, height: frame.size.height,
            codec: transfer.codec.name, byteCount: transfer.byteCount,
            dropped: Dictionary(uniqueKeysWithValues: frame.drops.pairs.map { ($0.reason.name, $0.count) }), file: path)
        return try await queue.run { [output] in try output.write(entry) }
    }
}
