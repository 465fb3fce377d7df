import CameraProtocol
import Testing

/// Whatever a program puts into a message, the peer can read it.
@Suite("Encoding within the limits")
struct EncodingLimitTests {
    private func reread(_ message: Message, receiver: Side, stream: StreamID = 0) throws -> Message {
        var parser = StagedParser(try .make(for: receiver))
        guard case .message(let message, _) = try parser.receive(message.encoded(stream: stream)).first else {
            throw ProtocolError.notCamstream(firstBytes: [])
        }
        return message
    }

    @Test(
        "A long text is cut between two code points",
        arguments: [("a", 1024), ("ü", 1024), ("€", 1023), ("🎥", 1024), ("x🎥", 1021)])
    func longText(character: String, byteCount: Int) throws {
        let text = String(repeating: character, count: 2000)
        guard case .bye(let bye) = try reread(.bye(Bye(text: text)), receiver: .client) else {
            Issue.record("no bye")
            return
        }
        #expect(text.hasPrefix(bye.text))
        #expect(bye.text.utf8.count == byteCount)
    }

    @Test("A text and a name of exactly the limit stay whole")
    func exactText() throws {
        let text = String(repeating: "é", count: Limits.textByteCount / 2)
        #expect(try reread(.bye(Bye(text: text)), receiver: .client) == .bye(Bye(text: text)))
        let name = String(repeating: "n", count: Limits.nameByteCount)
        #expect(try reread(.listControls(camera: name), receiver: .server) == .listControls(camera: name))
        #expect(try reread(.listControls(camera: name + "n"), receiver: .server) == .listControls(camera: name))
    }

    @Test("A welcome lists the first 64 cameras, all with the longest names")
    func manyCameras() throws {
        let name = String(repeating: "ü", count: 300)
        let camera = CameraDescription(
            name: name, localizedName: name, state: .running, reason: .none, size: PixelSize(width: 1, height: 1),
            frameRate: nil)
        let welcome = Welcome(
            name: name, maximumFrameByteCount: 0, codecs: ImageCodec.allCases,
            cameras: Array(repeating: camera, count: 65))
        guard case .welcome(let reread) = try reread(.welcome(welcome), receiver: .client) else {
            Issue.record("no welcome")
            return
        }
        #expect(reread.cameras.count == Limits.cameraCount)
        #expect(reread.cameras.allSatisfy { $0.name.utf8.count == 254 })
    }

    @Test("Controls that a message has no room for are left out")
    func manyControls() throws {
        let item = ControlMenuItem(index: 1, name: String(repeating: "m", count: 300))
        let control = ControlDescription(
            name: "menu", kind: .menu, isReadOnly: false, isInactive: false, isVolatile: false, minimum: 0,
            maximum: 1, step: 1, defaultValue: 0, value: .string(String(repeating: "v", count: 5000)),
            menu: Array(repeating: item, count: 1000))
        let list = ControlList(camera: "camera", controls: Array(repeating: control, count: 100))
        guard case .controls(let reread) = try reread(.controls(list), receiver: .client) else {
            Issue.record("no controls")
            return
        }
        #expect(reread.controls.count == 1)
        #expect(reread.controls.first?.menu.count == Limits.menuItemCount)
    }

    @Test("A quality over 100 and a depth beyond its range become the nearest that is allowed")
    func clampedNumbers() throws {
        let request = StreamRequest(quality: 200, delivery: .ordered(depth: 0))
        guard case .update(let reread) = try reread(.update(request), receiver: .server, stream: 1) else {
            Issue.record("no update")
            return
        }
        #expect(reread.quality == 100)
        #expect(reread.delivery == .ordered(depth: 1))
    }
}
