/// What an `error` or `bye` message says; the raw value is the number on the wire.
public struct ErrorCode: RawRepresentable, Sendable, Hashable {
    /// The number on the wire.
    public var rawValue: UInt16

    /// Creates a code, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// All is well; `bye` only.
    public static let none = ErrorCode(rawValue: 0)
    /// The peer broke the protocol.
    public static let protocolViolation = ErrorCode(rawValue: 1)
    /// The peer speaks another major version.
    public static let unsupportedVersion = ErrorCode(rawValue: 2)
    /// No camera has that name.
    public static let unknownCamera = ErrorCode(rawValue: 3)
    /// No codec of the list can carry the frames.
    public static let unsupportedCodec = ErrorCode(rawValue: 4)
    /// The server has as many clients as it takes.
    public static let serverFull = ErrorCode(rawValue: 5)
    /// A limit of the protocol was passed.
    public static let limitExceeded = ErrorCode(rawValue: 6)
    /// A value of the request is out of range.
    public static let invalidRequest = ErrorCode(rawValue: 7)
    /// The stream number is taken, or free, when it must not be.
    public static let streamState = ErrorCode(rawValue: 8)
    /// The server does not allow that.
    public static let notPermitted = ErrorCode(rawValue: 9)
    /// The server does not do that, or not yet.
    public static let unsupported = ErrorCode(rawValue: 10)
    /// The peer was silent for too long.
    public static let timedOut = ErrorCode(rawValue: 11)
    /// The server goes away.
    public static let shuttingDown = ErrorCode(rawValue: 12)
    /// The side that says so has a bug.
    public static let internalError = ErrorCode(rawValue: 13)
}
