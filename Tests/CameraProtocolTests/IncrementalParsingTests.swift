import CameraProtocol
import Testing

@Suite("Incremental parsing")
struct IncrementalParsingTests {
    @Test("Every prefix needs more bytes and leaves the offset", arguments: Sample.all)
    func prefixes(sample: Sample) throws {
        for count in 0..<sample.bytes.count - sample.payload.count {
            var parser = try sample.makeParser()
            var offset = 0
            #expect(try parser.next(in: sample.bytes.span.extracting(first: count).bytes, at: &offset) == nil)
            #expect(offset == 0)
        }
    }

    @Test("Every split in two gives the same", arguments: Sample.all)
    func splits(sample: Sample) throws {
        for split in 0...sample.bytes.count {
            var parser = StagedParser(try sample.makeParser())
            let events =
                try parser.receive(sample.bytes[..<split]) + parser.receive(sample.bytes[split...])
            #expect(events == [sample.event], "split at \(split)")
            #expect(parser.payload == sample.payload, "split at \(split)")
            #expect(parser.staged.isEmpty, "split at \(split)")
        }
    }

    @Test("A whole session arrives byte by byte", arguments: [Side.server, .client])
    func byteByByte(receiver: Side) throws {
        let samples = Sample.all.filter { $0.receiver == receiver && $0.type != nil }
        var parser = StagedParser(try .make(for: receiver, preambleFollows: true))
        var events: [MessageParser.Event] = []
        for byte in Preamble.current.bytes + samples.flatMap(\.bytes) {
            events += try parser.receive(CollectionOfOne(byte))
        }
        #expect(events == [.preamble(.current)] + samples.map(\.event))
        #expect(parser.payload == samples.flatMap(\.payload))
    }

    @Test("Unknown messages never fill a staging buffer")
    func unknownMessagesMakeProgress() throws {
        var parser = try MessageParser.make(for: .server)
        let unknown: [UInt8] = [0, 0, 0, 2, 200, 0, 0, 0, 1, 2]
        let bytes = unknown + unknown + unknown.dropLast()
        var offset = 0
        #expect(try parser.next(in: bytes.span.bytes, at: &offset) == nil)
        #expect(offset == 20)
    }

    @Test("Parsing begins at the offset and ends behind the message")
    func offsets() throws {
        let ping = Message.ping(Ping(originate: 5)).encoded()
        let bytes = [0xFF, 0xFF] + ping + ping
        var parser = try MessageParser.make(for: .server)
        var offset = 2
        #expect(try parser.next(in: bytes.span.bytes, at: &offset) == .message(.ping(Ping(originate: 5)), stream: 0))
        #expect(offset == 2 + ping.count)
        #expect(try parser.next(in: bytes.span.bytes, at: &offset) != nil)
        #expect(offset == bytes.count)
        #expect(try parser.next(in: bytes.span.bytes, at: &offset) == nil)
    }
}
