import CameraProtocol
import Testing

@Suite("Golden vectors")
struct GoldenVectorTests {
    @Test("Every message has its vectors, and every vector its message")
    func complete() throws {
        let vectors = try Vector.all(in: "messages")
        #expect(vectors.map(\.name) == Sample.all.map(\.name).sorted())
        let types = Sample.all.compactMap(\.type)
        #expect(Set(types) == Set(MessageType.allCases))
    }

    @Test("The encoder writes the vector", arguments: Sample.all)
    func encodes(sample: Sample) throws {
        #expect(sample.bytes == (try Vector("messages", sample.name).bytes))
    }

    @Test("The parser reads the vector", arguments: Sample.all)
    func parses(sample: Sample) throws {
        var parser = StagedParser(try sample.makeParser())
        #expect(try parser.receive(try Vector("messages", sample.name).bytes) == [sample.event])
        #expect(parser.staged.isEmpty)
        #expect(parser.payload == sample.payload)
    }

    @Test("A minimal session reads as what it is")
    func session() throws {
        var server = StagedParser(try .make(for: .server, preambleFollows: true))
        let sent = try server.receive(try Vector("session", "client").bytes)
        #expect(
            sent == [
                .preamble(.current),
                .message(.hello(Hello(name: "demo", maximumFrameByteCount: 1_048_576, codecs: [.webp])), stream: 0),
                .message(
                    .subscribe(
                        Subscribe(camera: "", request: StreamRequest(codecs: .inOrder([.webp])), credit: 2)),
                    stream: 1),
                .message(.credit(1), stream: 1),
                .message(.bye(Bye()), stream: 0),
            ])

        var client = StagedParser(try .make(for: .client, preambleFollows: true))
        let received = try client.receive(try Vector("session", "server").bytes)
        #expect(received.count == 5)
        #expect(
            received.flatMap(\.encoded).count + client.payload.count == (try Vector("session", "server").bytes.count))
        guard case .frame(let metadata, 1, payloadByteCount: 12) = received[3] else {
            Issue.record("the fourth is no frame of stream 1: \(received[3])")
            return
        }
        #expect(metadata.size == PixelSize(width: 640, height: 480))
        #expect(client.payload == Array("RIFF....WEBP".utf8))
    }
}
