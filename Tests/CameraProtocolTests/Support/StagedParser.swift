import CameraProtocol

/// Feeds a parser as a connection does: from a staging buffer, payloads taken aside.
struct StagedParser {
    private(set) var parser: MessageParser
    /// What came and was not parsed yet.
    private(set) var staged: [UInt8] = []
    /// The payloads of all frames, one behind the other.
    private(set) var payload: [UInt8] = []
    private var missingPayload = 0

    init(_ parser: MessageParser) { self.parser = parser }

    /// Takes in some bytes and returns what they complete.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws(ProtocolError) -> [MessageParser.Event] {
        let bytes = staged + bytes
        var events: [MessageParser.Event] = []
        var offset = 0
        takePayload(of: bytes, from: &offset)
        while missingPayload == 0, let event = try parser.next(in: bytes.span.bytes, at: &offset) {
            events.append(event)
            if case .frame(_, _, let payloadByteCount) = event {
                missingPayload = payloadByteCount
                takePayload(of: bytes, from: &offset)
            }
        }
        staged = Array(bytes[offset...])
        return events
    }

    private mutating func takePayload(of bytes: [UInt8], from offset: inout Int) {
        let count = min(missingPayload, bytes.count - offset)
        payload += bytes[offset..<offset + count]
        missingPayload -= count
        offset += count
    }
}

extension MessageParser {
    /// A parser for what begins with a preamble, or with anything else behind one.
    static func make(
        for receiver: Side, preambleFollows: Bool = false, maximumFrameByteCount: Int = Limits.frameByteCount
    ) throws -> MessageParser {
        var parser = MessageParser(receiver: receiver, maximumFrameByteCount: maximumFrameByteCount)
        if !preambleFollows {
            var offset = 0
            _ = try parser.next(in: Preamble.current.bytes.span.bytes, at: &offset)
        }
        return parser
    }
}

extension MessageParser.Event {
    /// What an encoder makes of the event, a frame without its payload.
    var encoded: [UInt8] {
        switch self {
        case .preamble(let preamble): preamble.bytes
        case .message(let message, let stream): message.encoded(stream: stream)
        case .frame(let metadata, let stream, let payloadByteCount):
            metadata.encoded(stream: stream, payloadByteCount: payloadByteCount)
        }
    }
}
