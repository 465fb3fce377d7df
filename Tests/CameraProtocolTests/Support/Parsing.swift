import CameraProtocol

extension MessageParser {
    /// A parser that has seen the preamble.
    static func opened(for receiver: Side, maximumFrameByteCount: Int = Limits.frameByteCount) throws -> MessageParser {
        var parser = MessageParser(receiver: receiver, maximumFrameByteCount: maximumFrameByteCount)
        var offset = 0
        _ = try parser.next(in: Preamble.current.bytes.span.bytes, at: &offset)
        return parser
    }

    /// A parser for what begins with `event`.
    static func ready(for event: Event, receiver: Side) throws -> MessageParser {
        if case .preamble = event {
            return MessageParser(receiver: receiver, maximumFrameByteCount: Limits.frameByteCount)
        }
        return try .opened(for: receiver)
    }

    /// All events of some bytes; payloads are passed over.
    ///
    /// - Parameter offset: Where to begin; afterwards, where what is not complete begins.
    mutating func events(in bytes: [UInt8], from offset: inout Int) throws(ProtocolError) -> [Event] {
        var events: [Event] = []
        while let event = try next(in: bytes.span.bytes, at: &offset) {
            events.append(event)
            if case .frame(_, _, let payloadByteCount) = event {
                offset = min(offset + payloadByteCount, bytes.count)
            }
        }
        return events
    }
}
