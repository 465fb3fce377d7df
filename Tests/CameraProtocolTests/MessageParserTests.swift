import CameraProtocol
import Testing

@Suite("Message parser")
struct MessageParserTests {
    @Test("What was encoded is parsed as the same", arguments: Sample.all)
    func roundTrip(sample: Sample) throws {
        var parser = try MessageParser.ready(for: sample.event, receiver: sample.receiver)
        var offset = 0
        #expect(try parser.events(in: sample.bytes, from: &offset) == [sample.event])
        #expect(offset == sample.bytes.count)
    }
}
