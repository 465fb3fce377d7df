/// Turns the bytes of one direction of a connection into messages.
///
/// It buffers nothing. The caller keeps what has not been parsed, at least ``stagingByteCount`` bytes, and takes a
/// frame's payload itself, straight to where it belongs.
public struct MessageParser: Sendable {
    /// What was parsed.
    public enum Event: Sendable, Hashable {
        /// The peer's preamble, once and first.
        case preamble(Preamble)
        /// A message; the offset is behind it.
        case message(Message, stream: StreamID)
        /// A frame without its payload, which begins at the offset; the caller consumes exactly `payloadByteCount`
        /// bytes before the next call.
        case frame(FrameMetadata, stream: StreamID, payloadByteCount: Int)
    }

    /// The bytes a caller must be able to hold for ``next(in:at:)`` to make progress.
    public static let stagingByteCount = MessageHeader.byteCount + Limits.controlByteCount

    /// The most bytes in the body of a frame, metadata and payload: what this side's hello or welcome says, the
    /// smaller of both once the peer's is known.
    public var maximumFrameByteCount: Int {
        didSet { maximumFrameByteCount = min(maximumFrameByteCount, Limits.frameByteCount) }
    }

    private let receiver: Side
    private var hasPreamble = false

    /// Creates a parser for a new connection.
    ///
    /// - Parameters:
    ///   - receiver: The side that gets the bytes.
    ///   - maximumFrameByteCount: See ``maximumFrameByteCount``; at most ``Limits/frameByteCount`` counts.
    public init(receiver: Side, maximumFrameByteCount: Int) {
        self.receiver = receiver
        self.maximumFrameByteCount = min(maximumFrameByteCount, Limits.frameByteCount)
    }

    /// Parses what begins at `offset`.
    ///
    /// - Parameters:
    ///   - bytes: What came and was not parsed yet.
    ///   - offset: Where to begin, 0 up to the count of bytes. Moves behind what is returned and behind messages of
    ///     unknown types, which are skipped whole; stays where it is otherwise.
    /// - Returns: `nil` if more bytes are needed.
    /// - Throws: ``ProtocolError`` for what can never be valid, as early as it can be known. The parser is of no
    ///   more use then.
    public mutating func next(in bytes: RawSpan, at offset: inout Int) throws(ProtocolError) -> Event? {
        guard hasPreamble else {
            guard let preamble = try Preamble(in: bytes, at: offset) else { return nil }
            hasPreamble = true
            offset += Preamble.byteCount
            return .preamble(preamble)
        }
        while let header = MessageHeader(in: bytes, at: offset) {
            let type = MessageType(rawValue: header.type)
            let length = try bodyByteCount(header)
            let body = offset + MessageHeader.byteCount
            if let type {
                try check(header, of: type)
                if type == .frame { return try frame(header, length: length, in: bytes, at: &offset) }
            }
            guard bytes.byteCount - body >= length else { return nil }
            if let type, let message = try message(type, in: bytes, from: body, to: body + length) {
                offset = body + length
                return .message(message, stream: header.stream)
            }
            offset = body + length
        }
        return nil
    }

    /// The body's length, if it is within the limit of its type.
    private func bodyByteCount(_ header: MessageHeader) throws(ProtocolError) -> Int {
        let limit = header.type == MessageType.frame.rawValue ? maximumFrameByteCount : Limits.controlByteCount
        let length = Int(header.length)
        guard length <= limit else {
            throw .bodyTooLong(type: header.type, byteCount: length, limit: limit)
        }
        return length
    }

    private func check(_ header: MessageHeader, of type: MessageType) throws(ProtocolError) {
        guard type.isReceived(by: receiver) else { throw .unexpectedMessage(type, receiver: receiver) }
        guard type.isAllowed(on: header.stream) else { throw .wrongStream(type, stream: header.stream) }
        guard header.flags & ~type.knownFlags == 0 else { throw .reservedFlags(type, flags: header.flags) }
    }

    private func message(
        _ type: MessageType, in bytes: RawSpan, from start: Int, to end: Int
    ) throws(ProtocolError) -> Message? {
        var reader = ByteReader(from: start, to: end)
        do throws(FieldError) {
            return try Message(type, &reader, in: bytes)
        } catch {
            throw .malformed(type, error)
        }
    }

    private func frame(
        _ header: MessageHeader, length: Int, in bytes: RawSpan, at offset: inout Int
    ) throws(ProtocolError) -> Event? {
        let body = offset + MessageHeader.byteCount
        let metadata: FrameMetadata
        let metadataByteCount: Int
        do throws(FieldError) {
            guard let byteCount = try FrameMetadata.byteCount(inBodyOf: length, in: bytes, at: body),
                bytes.byteCount - body >= byteCount
            else { return nil }
            metadataByteCount = byteCount
            var reader = ByteReader(from: body, to: body + byteCount)
            metadata = try FrameMetadata(
                &reader, in: bytes, isRedelivered: header.flags & FrameFlag.redelivered != 0)
        } catch {
            throw .malformed(.frame, error)
        }
        let payloadByteCount = length - metadataByteCount
        let expected = metadata.exactPayloadByteCount
        guard payloadByteCount > 0, payloadByteCount == expected ?? payloadByteCount else {
            throw .payloadByteCount(payloadByteCount, expected: expected)
        }
        offset = body + metadataByteCount
        return .frame(metadata, stream: header.stream, payloadByteCount: payloadByteCount)
    }
}
