package import Foundation

/// A new empty folder that is deleted, with what is in it, when the last reference goes.
package final class TemporaryDirectory: Sendable {
    /// Where it is.
    package let url: URL

    /// Creates a folder with a name of its own among the system's temporary files.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "camstream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The folder's path.
    package var path: String { url.path(percentEncoded: false) }

    /// The path of a file in the folder, which need not exist.
    package func path(of name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    /// The names of the files in the folder, sorted.
    package var fileNames: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
