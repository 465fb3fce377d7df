import CameraProtocol

/// Where a server can be reached.
public enum Endpoint: Sendable, Hashable {
    /// A host name or address, and a TCP port.
    case tcp(host: String, port: UInt16)
    /// The path of a socket file.
    case unix(path: String)

    /// Reads `HOST[:PORT]`, `[V6][:PORT]` or `unix:PATH`; without a port it is ``Limits/defaultPort``.
    ///
    /// - Returns: `nil` if the text is none of these.
    public init?(parsing text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sun_path has 108 bytes, the last of them 0 (unix(7)).
            guard !path.isEmpty, path.utf8.count < 108 else { return nil }
            self = .unix(path: path)
            return
        }
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else {
            let colons = text.count { $0 == ":" }
            guard colons <= 1 else { return nil }
            let end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace), !host.contains("/") else { return nil }
        if rest.isEmpty {
            self = .tcp(host: String(host), port: Limits.defaultPort)
        } else {
            guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
            self = .tcp(host: String(host), port: port)
        }
    }
}

extension Endpoint: CustomStringConvertible {
    /// What ``init(parsing:)`` reads.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
