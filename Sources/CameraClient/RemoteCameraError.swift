public import CameraProtocol
import CameraTransport

/// Why a remote camera gives no frame, or no frames any more.
public struct RemoteCameraError: Error, Sendable, Hashable {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unknownHost, unreachable, disconnected, protocolViolation, serverFull, unknownCamera, refused
            case notPermitted, ended, timedOut, closed
        }

        private let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        /// No host has that name.
        public static let unknownHost = Code(.unknownHost)
        /// No server answers at the address, or its name cannot be looked up at the moment.
        public static let unreachable = Code(.unreachable)
        /// The connection broke, or the server went away.
        public static let disconnected = Code(.disconnected)
        /// The other side does not speak the protocol, or another version of it.
        public static let protocolViolation = Code(.protocolViolation)
        /// The server has as many clients as it takes.
        public static let serverFull = Code(.serverFull)
        /// The server has no camera of that name.
        public static let unknownCamera = Code(.unknownCamera)
        /// The server cannot do what the request asks.
        public static let refused = Code(.refused)
        /// The server does not allow that.
        public static let notPermitted = Code(.notPermitted)
        /// The source ended; ``RemoteCameraError/endReason`` says how.
        public static let ended = Code(.ended)
        /// No frame came in the time given.
        public static let timedOut = Code(.timedOut)
        /// The camera was closed on this side.
        public static let closed = Code(.closed)

        /// The name of the code.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public var code: Code
    /// What it happened to: a server's address, a camera's name.
    public var subject: String
    /// What happened, for a person; a clause without a full stop.
    public var reason: String
    /// How the source ended; for ``Code/ended``.
    public var endReason: StateReason
    /// What was dropped after the last frame; for ``Code/ended``.
    public var drops: DropCounts

    /// Creates an error.
    public init(
        _ code: Code, subject: String, reason: String, endReason: StateReason = .none, drops: DropCounts = DropCounts()
    ) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.endReason = endReason
        self.drops = drops
    }
}

extension RemoteCameraError: CustomStringConvertible {
    /// `host:9000: Connection refused`.
    public var description: String { "\(subject): \(reason)" }
}

extension RemoteCameraError {
    init(_ failure: Connector.Failure, endpoint: Endpoint) {
        switch failure {
        case .unknownHost(let error): self.init(.unknownHost, subject: error.subject, reason: "unknown host")
        case .resolver(let error): self.init(.unreachable, subject: error.subject, reason: error.reason)
        case .unreachable(let error): self.init(.unreachable, subject: "\(endpoint)", reason: error.reason)
        }
    }

    init(_ reason: MessageChannel.CloseReason, endpoint: Endpoint) {
        let subject = "\(endpoint)"
        switch reason {
        case .endOfStream: self.init(.disconnected, subject: subject, reason: "the server closed the connection")
        case .protocolError(let error): self.init(.protocolViolation, subject: subject, reason: "\(error)")
        case .failed(let code):
            let error = SocketError(operation: "receive", subject: subject, code: code)
            self.init(.disconnected, subject: subject, reason: error.reason)
        }
    }

    /// What a server says with an `error` or a `bye`.
    init(_ code: ErrorCode, text: String, subject: String) {
        let (clientCode, standard): (Code, String) =
            switch code {
            case .unknownCamera: (.unknownCamera, "there is no such camera")
            case .serverFull: (.serverFull, "the server has as many clients as it takes")
            case .unsupportedVersion: (.protocolViolation, "the server speaks another version of the protocol")
            case .protocolViolation, .streamState: (.protocolViolation, "the server says the protocol was broken")
            case .unsupportedCodec, .limitExceeded, .invalidRequest, .unsupported:
                (.refused, "the server cannot do that")
            case .notPermitted: (.notPermitted, "the server does not allow that")
            case .timedOut: (.disconnected, "the server heard nothing for too long")
            default: (.disconnected, "the server went away")
            }
        self.init(clientCode, subject: subject, reason: text.isEmpty ? standard : text.printable)
    }
}
