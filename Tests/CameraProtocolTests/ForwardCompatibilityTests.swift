import CameraProtocol
import Testing

/// What a newer minor version may send, in `Protocol/Vectors/newer`.
@Suite("Messages of newer minor versions")
struct ForwardCompatibilityTests {
    @Test("All of the folder is covered here")
    func complete() throws {
        #expect(try Vector.all(in: "newer").map(\.name) == Self.expected.keys.sorted())
    }

    @Test("What is not known is left out", arguments: try Vector.all(in: "newer"))
    func parses(vector: Vector) throws {
        let expected = try #require(Self.expected[vector.name])
        var parser = StagedParser(
            try .make(for: try vector.receiver, preambleFollows: vector.name.hasPrefix("preamble")))
        #expect(try parser.receive(vector.bytes) == [expected])
        #expect(parser.staged.isEmpty)
    }

    private static func sample(_ name: String) -> MessageParser.Event? {
        Sample.all.first { $0.name == name }?.event
    }

    private static func frame(
        change: (inout FrameMetadata) -> Void = { _ in }
    ) -> MessageParser.Event? {
        guard case .frame(var metadata, let stream, let payloadByteCount) = sample("frame-minimal") else { return nil }
        change(&metadata)
        return .frame(metadata, stream: stream, payloadByteCount: payloadByteCount)
    }

    private static let expected: [String: MessageParser.Event?] = [
        "preamble-minor": .preamble(Preamble(major: 1, minor: 7)),
        "unknown-type": sample("ping"),
        "ping-trailing": sample("ping"),
        "unsubscribe-trailing": sample("unsubscribe"),
        "hello-codec": .message(
            .hello(Hello(name: "worker-7", maximumFrameByteCount: 67_108_864, codecs: [.webp])), stream: 0),
        "subscribe-codec": .message(
            .subscribe(Subscribe(camera: "", request: StreamRequest(codecs: .inOrder([.jpeg])), credit: 2)),
            stream: 1),
        "welcome-camera-trailing": .message(
            .welcome(
                Welcome(
                    name: "gate", maximumFrameByteCount: 67_108_864, codecs: [.webp],
                    cameras: [
                        CameraDescription(
                            name: "camera0", localizedName: "Kamera über der Tür", state: .running, reason: .none,
                            size: PixelSize(width: 1280, height: 720), frameRate: FrameRate(30000, 1001)),
                        CameraDescription(
                            name: "camera1", localizedName: "", state: .idle, reason: .none,
                            size: PixelSize(width: 0, height: 0), frameRate: nil),
                    ])), stream: 0),
        "controls-kind": .message(
            .controls(
                ControlList(
                    camera: "camera0",
                    controls: [
                        ControlDescription(
                            name: "brightness", kind: .integer, isReadOnly: false, isInactive: false,
                            isVolatile: false, minimum: -64, maximum: 64, step: 1, defaultValue: 0,
                            value: .integer(-5), menu: [])
                    ])), stream: 0),
        "status-reason": .message(.status(CameraStatus(camera: "camera0", state: .interrupted)), stream: 1),
        "error-code": .message(
            .error(Failure(code: ErrorCode(rawValue: 999), closesConnection: false, text: "")), stream: 0),
        "frame-metadata": frame(),
        "frame-drops-transfer": frame {
            $0.drops.add(.noCredit, 2)
            $0.drops.add(.discontinuity, 4)
        },
    ]
}
