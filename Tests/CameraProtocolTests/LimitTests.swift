import CameraProtocol
import Testing

@Suite("Limits")
struct LimitTests {
    /// A header without a body.
    private func header(_ type: UInt8, length: UInt32, stream: UInt16 = 0) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [
            type, 0, UInt8(stream >> 8), UInt8(stream & 255),
        ]
    }

    private static let controlTypes = MessageType.allCases.filter { $0 != .frame }.map(\.rawValue) + [0, 21, 255]

    @Test("A body's length is judged from the header alone", arguments: controlTypes)
    func controlLength(type: UInt8) throws {
        let sample = Sample.all.first { $0.type?.rawValue == type }
        let stream: UInt16 = sample.map { UInt16($0.bytes[6]) << 8 | UInt16($0.bytes[7]) } ?? 0
        let limit = UInt32(Limits.controlByteCount)
        var parser = try MessageParser.make(for: sample?.receiver ?? .server)
        var offset = 0
        #expect(try parser.next(in: header(type, length: limit, stream: stream).span.bytes, at: &offset) == nil)
        for length in [limit + 1, UInt32.max] {
            #expect(
                throws: ProtocolError.bodyTooLong(type: type, byteCount: Int(length), limit: Limits.controlByteCount)
            ) {
                try parser.next(in: header(type, length: length, stream: stream).span.bytes, at: &offset)
            }
        }
    }

    @Test("A frame's length is bounded by what was agreed, at most 64 MiB")
    func frameLength() throws {
        var parser = try MessageParser.make(for: .client, maximumFrameByteCount: .max)
        #expect(parser.maximumFrameByteCount == Limits.frameByteCount)
        for limit in [Limits.frameByteCount, 1_048_576, 100] {
            parser.maximumFrameByteCount = limit
            var offset = 0
            let atLimit = header(MessageType.frame.rawValue, length: UInt32(limit), stream: 1)
            #expect(try parser.next(in: atLimit.span.bytes, at: &offset) == nil)
            for length in [limit + 1, Int(UInt32.max)] {
                let past = header(MessageType.frame.rawValue, length: UInt32(length), stream: 1)
                #expect(throws: ProtocolError.bodyTooLong(type: 8, byteCount: length, limit: limit)) {
                    try parser.next(in: past.span.bytes, at: &offset)
                }
            }
        }
        parser.maximumFrameByteCount = .max
        #expect(parser.maximumFrameByteCount == Limits.frameByteCount)
    }

    @Test("A message of the largest size is parsed from a staging buffer that is full")
    func largestMessage() throws {
        let body = [UInt8](repeating: 0, count: Limits.controlByteCount)
        let bytes = header(MessageType.unsubscribe.rawValue, length: UInt32(body.count), stream: 1) + body
        #expect(bytes.count == MessageParser.stagingByteCount)
        var parser = try MessageParser.make(for: .server)
        var offset = 0
        #expect(try parser.next(in: bytes.span.bytes, at: &offset) == .message(.unsubscribe, stream: 1))
    }

    @Test("A picture of the most pixels is taken, declared by a client's agreed frame")
    func largestPicture() throws {
        guard case .frame(var metadata, let stream, _) = Sample.all.first(where: { $0.type == .frame })?.event else {
            Issue.record("no sample of a frame")
            return
        }
        metadata.codec = .jpeg
        metadata.size = PixelSize(width: 8192, height: 8192)
        var parser = try MessageParser.make(for: .client)
        var offset = 0
        let bytes = metadata.encoded(stream: stream, payloadByteCount: 1)
        #expect(
            try parser.next(in: bytes.span.bytes, at: &offset)
                == .frame(metadata, stream: stream, payloadByteCount: 1))
    }
}
