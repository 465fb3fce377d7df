/// Why a session's configuration could not be changed.
public struct CaptureSessionError: Error, Sendable, Hashable {
    /// What kind of fault it is.
    public struct Code: Sendable, Hashable {
        private enum Value: Hashable {
            case inputReplaced
        }

        private let value: Value

        /// Another thread has replaced the session's input since the change was begun.
        public static let inputReplaced = Code(value: .inputReplaced)
    }

    /// What kind of fault it is.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }
}

extension CaptureSessionError: CustomStringConvertible {
    /// For a person.
    public var description: String {
        "another thread has replaced the session's input; look at its inputs and change it again"
    }
}
