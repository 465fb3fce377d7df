/// Bytes that can never become valid; the connection cannot go on.
public enum ProtocolError: Error, Sendable, Hashable {
    /// The connection does not begin with a preamble; the bytes are the first that came, at most 16.
    case notCamstream(firstBytes: [UInt8])
    /// The peer speaks another major version.
    case unsupportedVersion(major: UInt16)
    /// The header announces a body over the limit of its type.
    case bodyTooLong(type: UInt8, byteCount: Int, limit: Int)
    /// A message that this side never gets.
    case unexpectedMessage(MessageType, receiver: Side)
    /// A message of a stream on stream 0, or one of the connection on another.
    case wrongStream(MessageType, stream: StreamID)
    /// Header flags that are reserved.
    case reservedFlags(MessageType, flags: UInt8)
    /// A field of the body.
    case malformed(MessageType, FieldError)
    /// A raw frame whose payload is not its picture, or an empty payload (`expected` is `nil` then).
    case payloadByteCount(Int, expected: Int?)
}

/// What is wrong with a field of a message.
public struct FieldError: Error, Sendable, Hashable {
    /// The field's name in the specification.
    public var field: String
    /// Where it was noticed, in bytes from the start of the message's body (an entry's, within a list).
    public var offset: Int
    /// What is wrong.
    public var problem: Problem

    /// What can be wrong with a field.
    public enum Problem: Sendable, Hashable {
        /// The body ends this many bytes too early.
        case ended(missing: Int)
        /// A value that has no meaning here.
        case value(UInt64)
        /// A list of which this side knows no entry.
        case noneKnown
        /// A rate of which one part is 0 and the other is not.
        case rate(_ numerator: UInt32, _ denominator: UInt32)
        /// A count over its limit.
        case exceeds(Int, limit: Int)
        /// A picture without pixels, with too many, or with a side that its codec does not have.
        case size(PixelSize)
        /// Bytes that are not UTF-8.
        case notUTF8
    }
}

extension ProtocolError {
    /// What to tell the peer in a `bye`.
    public var code: ErrorCode {
        switch self {
        case .unsupportedVersion: .unsupportedVersion
        case .bodyTooLong: .limitExceeded
        case .malformed(_, let error):
            switch error.problem {
            case .exceeds, .size: .limitExceeded
            case .ended, .value, .noneKnown, .rate, .notUTF8: .protocolViolation
            }
        case .notCamstream, .unexpectedMessage, .wrongStream, .reservedFlags, .payloadByteCount: .protocolViolation
        }
    }
}

extension ProtocolError: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .notCamstream(let bytes): "not Camstream's protocol: \(Self.guess(bytes))"
        case .unsupportedVersion(let major):
            "the peer speaks version \(major) of the protocol, this side version \(Preamble.current.major)"
        case .bodyTooLong(let type, let byteCount, let limit):
            "\(Self.name(type)): a body of \(byteCount) bytes exceeds the limit of \(limit) bytes"
        case .unexpectedMessage(let type, let receiver): "\(type): no message for a \(receiver)"
        case .wrongStream(let type, 0): "\(type): needs a stream number, came on 0"
        case .wrongStream(let type, let stream): "\(type): belongs to the connection, came on stream \(stream)"
        case .reservedFlags(let type, let flags): "\(type): reserved flags are set (0x\(Self.hex(flags)))"
        case .malformed(let type, let error): "\(type): \(error)"
        case .payloadByteCount(let actual, let expected?):
            "frame: a payload of \(actual) bytes where the picture has \(expected) bytes"
        case .payloadByteCount: "frame: no payload"
        }
    }

    private static func name(_ type: UInt8) -> String {
        MessageType(rawValue: type).map { "\($0)" } ?? "message of unknown type \(type)"
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func guess(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let methods = ["GET ", "POST ", "HEAD ", "PUT ", "DELETE ", "OPTIONS ", "CONNECT ", "PATCH ", "TRACE ", "PRI "]
        if methods.contains(where: text.hasPrefix) { return "looks like an HTTP request" }
        if text.hasPrefix("HTTP/") { return "looks like an HTTP server" }
        if text.hasPrefix("SSH-") { return "looks like SSH" }
        if text.hasPrefix("RTSP/") { return "looks like RTSP" }
        if bytes.starts(with: [0x16, 0x03]) { return "looks like TLS" }
        return "begins with " + bytes.map(hex).joined(separator: " ")
    }
}

extension FieldError: CustomStringConvertible {
    /// One line for a log.
    public var description: String { "\(field) at byte \(offset): \(problem)" }
}

extension FieldError.Problem: CustomStringConvertible {
    /// A part of a sentence.
    public var description: String {
        switch self {
        case .ended(let missing): "the body ends \(missing) \(missing == 1 ? "byte" : "bytes") too early"
        case .value(let value): "\(value) has no meaning"
        case .noneKnown: "none of the values is known"
        case .rate(let numerator, let denominator): "\(numerator)/\(denominator) is no rate"
        case .exceeds(let count, let limit): "\(count) exceeds the limit of \(limit)"
        case .size(let size): "a picture of \(size) is not possible"
        case .notUTF8: "not UTF-8"
        }
    }
}
