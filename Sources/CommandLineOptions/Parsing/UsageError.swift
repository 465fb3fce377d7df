/// Why a command line was refused.
package struct UsageError: Error, Sendable, Hashable {
    /// What is wrong, without a full stop unless it has several sentences.
    package let message: String
    /// The option or argument that the error is about, with its help; `nil` if it is about none.
    package let help: String?

    /// Creates an error.
    package init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }
}

extension UsageError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}
