import Foundation

/// Standard output as objects, one a line.
struct JSONLines: Sendable {
    private let file: OutputFile?

    init() {
        // Standard output needs no opening that could fail.
        file = try? OutputFile(path: "-")
    }

    /// Writes an object; blocks.
    ///
    /// - Returns: `false` if nobody reads any more.
    func write(_ object: some Encodable) throws -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = try encoder.encode(object)
        line.append(UInt8(ascii: "\n"))
        return try line.withUnsafeBytes { try file?.write($0) ?? false }
    }
}
