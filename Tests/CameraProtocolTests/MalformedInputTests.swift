import CameraProtocol
import Testing

@Suite("Malformed input")
struct MalformedInputTests {
    @Test("Bad bytes are refused with the reason in one line", arguments: try Vector.all(in: "bad"))
    func refuses(vector: Vector) throws {
        var parser = try MessageParser.make(
            for: try vector.receiver, preambleFollows: vector.name.hasPrefix("preamble"))
        var offset = 0
        let error = #expect(throws: ProtocolError.self) {
            try parser.next(in: vector.bytes.span.bytes, at: &offset)
        }
        #expect(error?.description == vector.attributes["error"])
        #expect(offset == 0)
    }

    @Test("A preamble is refused at its first wrong byte", arguments: 0..<4)
    func wrongMagic(index: Int) throws {
        var bytes = Array(Preamble.magic.prefix(index + 1))
        bytes[index] ^= 0x20
        var parser = MessageParser(receiver: .server, maximumFrameByteCount: 0)
        var offset = 0
        #expect(throws: ProtocolError.notCamstream(firstBytes: bytes)) {
            try parser.next(in: bytes.span.bytes, at: &offset)
        }
    }

    @Test("Another major version is refused before its minor version is there", arguments: [0, 2, 65535] as [UInt16])
    func wrongMajor(major: UInt16) throws {
        let bytes = Array(Preamble(major: major, minor: 0).bytes.prefix(6))
        var parser = MessageParser(receiver: .client, maximumFrameByteCount: 0)
        var offset = 0
        #expect(throws: ProtocolError.unsupportedVersion(major: major)) {
            try parser.next(in: bytes.span.bytes, at: &offset)
        }
    }

    @Test("A client gets none of the server's messages, and the reverse", arguments: Sample.all)
    func wrongSide(sample: Sample) throws {
        guard let type = sample.type else { return }
        let other: Side = sample.receiver == .server ? .client : .server
        var parser = try MessageParser.make(for: other)
        var offset = 0
        if [.ping, .pong, .error, .bye].contains(type) {
            #expect(try parser.next(in: sample.bytes.span.bytes, at: &offset) == sample.event)
        } else {
            #expect(throws: ProtocolError.unexpectedMessage(type, receiver: other)) {
                try parser.next(in: sample.bytes.span.bytes, at: &offset)
            }
        }
    }

    @Test("No flipped bit traps, and what still parses encodes to the same meaning", arguments: Sample.all)
    func flippedBits(sample: Sample) throws {
        for bit in 0..<sample.bytes.count * 8 {
            var bytes = sample.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            var parser = StagedParser(try sample.makeParser())
            for event in (try? parser.receive(bytes)) ?? [] {
                var parser = try sample.makeParser()
                var offset = 0
                #expect(try parser.next(in: event.encoded.span.bytes, at: &offset) == event, "bit \(bit)")
            }
        }
    }
}
