import Foundation

/// A system call on a socket failed.
public struct SocketError: Error, Sendable, Hashable {
    /// What was tried: `bind`, `connect`, …
    public var operation: String
    /// On what: an address, a path.
    public var subject: String
    /// The `errno`; 0 if a name could not be resolved.
    public var code: Int32
    /// What went wrong, for a person.
    public var reason: String
    /// Whether the host's name does not exist, as opposed to a resolver that cannot tell.
    public var isUnknownHost: Bool

    package init(operation: String, subject: String, code: Int32) {
        self.operation = operation
        self.subject = subject
        self.code = code
        self.reason = String(cString: strerror(code))
        self.isUnknownHost = false
    }

    package init(operation: String, subject: String, reason: String, isUnknownHost: Bool) {
        self.operation = operation
        self.subject = subject
        self.code = 0
        self.reason = reason
        self.isUnknownHost = isUnknownHost
    }
}

extension SocketError: CustomStringConvertible {
    /// `0.0.0.0:9000: Address already in use`.
    public var description: String { "\(subject): \(reason)" }
}
