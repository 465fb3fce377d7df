import CameraProtocol
import Foundation
import Testing

/// A file of `Protocol/Vectors`: bytes in hexadecimal, each line's comment behind a `#`.
struct Vector: Sendable, CustomTestStringConvertible {
    /// The file's name without its extension.
    var name: String
    /// The bytes.
    var bytes: [UInt8]
    /// The values of comment lines of the form `# key: value` at the beginning.
    var attributes: [String: String] = [:]

    var testDescription: String { name }

    /// The side named by the attribute `receiver`.
    var receiver: Side {
        get throws { try #require(["server": Side.server, "client": .client][attributes["receiver"] ?? ""]) }
    }

    /// Reads one file.
    init(_ url: URL) throws {
        name = url.deletingPathExtension().lastPathComponent
        bytes = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            for digits in parts[0].split(separator: " ") {
                bytes.append(try #require(UInt8(digits, radix: 16), "\(url.path): \(digits)"))
            }
            if parts.count == 2, parts[0].isEmpty, bytes.isEmpty, let colon = parts[1].range(of: ": ") {
                let key = parts[1][..<colon.lowerBound].trimmingCharacters(in: .whitespaces)
                attributes[key] = String(parts[1][colon.upperBound...])
            }
        }
    }

    /// Reads one file by its folder and name.
    init(_ folder: String, _ name: String) throws {
        try self.init(Self.root.appending(components: folder, "\(name).hex"))
    }

    /// Reads all files of a folder, which is not empty.
    static func all(in folder: String) throws -> [Vector] {
        let files = try FileManager.default.contentsOfDirectory(
            at: root.appending(component: folder), includingPropertiesForKeys: nil)
        let vectors = try files.filter { $0.pathExtension == "hex" }.map { try Vector($0) }
        try #require(!vectors.isEmpty)
        return vectors.sorted { $0.name < $1.name }
    }

    /// The folder of all vectors.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(components: "Protocol", "Vectors")
}
