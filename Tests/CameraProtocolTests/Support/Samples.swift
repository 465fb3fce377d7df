import CameraProtocol
import Testing

/// A message as it travels, with the name of its golden vector.
struct Sample: Sendable, CustomTestStringConvertible {
    /// The file's name without its extension.
    var name: String
    /// The side that gets it.
    var receiver: Side
    /// What the parser makes of it.
    var event: MessageParser.Event
    /// The type in its header; `nil` for a preamble.
    var type: MessageType?
    /// What the encoder makes of it, a frame's payload included.
    var bytes: [UInt8]
    /// A frame's payload.
    var payload: [UInt8] = []

    var testDescription: String { name }

    private init(_ name: String, to receiver: Side, stream: StreamID = 0, _ message: Message) {
        self.name = name
        self.receiver = receiver
        self.event = .message(message, stream: stream)
        self.type = message.type
        self.bytes = message.encoded(stream: stream)
    }

    private init(_ name: String, stream: StreamID, _ metadata: FrameMetadata, payload: [UInt8]) {
        self.name = name
        self.receiver = .client
        self.event = .frame(metadata, stream: stream, payloadByteCount: payload.count)
        self.type = .frame
        self.payload = payload
        self.bytes = metadata.encoded(stream: stream, payloadByteCount: payload.count) + payload
    }

    private init(_ name: String, _ preamble: Preamble) {
        self.name = name
        self.receiver = .server
        self.event = .preamble(preamble)
        self.bytes = preamble.bytes
    }

    /// A parser that expects this.
    func makeParser() throws -> MessageParser {
        try .make(for: receiver, preambleFollows: type == nil)
    }

    /// Every message, with everything left out that can be and with everything set.
    static let all = [Sample("preamble", .current)] + handshake + streams + frames + connection + controls
}

extension Sample {
    private static let handshake = [
        Sample("hello-minimal", to: .server, .hello(Hello(name: "", maximumFrameByteCount: 1_048_576, codecs: []))),
        Sample(
            "hello-full", to: .server,
            .hello(
                Hello(name: "worker-7", maximumFrameByteCount: 67_108_864, codecs: [.webp, .jpeg, .raw]))),
        Sample(
            "welcome-minimal", to: .client,
            .welcome(Welcome(name: "", maximumFrameByteCount: 1_048_576, codecs: [], cameras: []))),
        Sample(
            "welcome-full", to: .client,
            .welcome(
                Welcome(
                    name: "gate", maximumFrameByteCount: 67_108_864, codecs: [.webp, .jpeg, .raw],
                    cameras: [
                        CameraDescription(
                            name: "camera0", localizedName: "Kamera über der Tür", state: .running, reason: .none,
                            size: PixelSize(width: 1280, height: 720), frameRate: FrameRate(30000, 1001)),
                        CameraDescription(
                            name: "camera1", localizedName: "", state: .interrupted, reason: .disconnected,
                            size: PixelSize(width: 0, height: 0), frameRate: nil),
                    ]))),
    ]

    private static let fullRequest = StreamRequest(
        preset: .hd1280x720, size: PixelSize(width: 800, height: 600),
        crop: PixelRectangle(x: 16, y: 8, size: PixelSize(width: 640, height: 360)),
        frameRateCap: FrameRate(15), codecs: .inOrder([.webp, .jpeg]), quality: 85, pixelFormat: .i420,
        delivery: .shared(group: "readers", ordered: true))

    private static let streams = [
        Sample(
            "subscribe-minimal", to: .server, stream: 1,
            .subscribe(Subscribe(camera: "", request: StreamRequest(), credit: 2))),
        Sample(
            "subscribe-full", to: .server, stream: 2,
            .subscribe(
                Subscribe(
                    camera: "camera0", request: fullRequest, credit: 1,
                    resume: FramePosition(epoch: 1_796_064_432_000_000_000, sequence: 4711)))),
        Sample(
            "subscribed-minimal", to: .client, stream: 1,
            .subscribed(
                Subscribed(
                    camera: "camera0", sourceSize: PixelSize(width: 0, height: 0), sourceFrameRate: nil,
                    size: PixelSize(width: 0, height: 0), crop: nil, frameRate: nil, codec: .raw, quality: 0,
                    pixelFormat: nil, delivery: .latest))),
        Sample(
            "subscribed-full", to: .client, stream: 65535,
            .subscribed(
                Subscribed(
                    camera: "camera0", sourceSize: PixelSize(width: 1920, height: 1080),
                    sourceFrameRate: FrameRate(30), size: PixelSize(width: 640, height: 360),
                    crop: PixelRectangle(x: 0, y: 0, size: PixelSize(width: 1280, height: 720)),
                    frameRate: FrameRate(25, 2), codec: .raw, quality: 80, pixelFormat: .nv12,
                    delivery: .ordered(depth: 8)))),
        Sample("update-minimal", to: .server, stream: 1, .update(StreamRequest())),
        Sample("update-full", to: .server, stream: 2, .update(fullRequest)),
        Sample("unsubscribe", to: .server, stream: 1, .unsubscribe),
        Sample("unsubscribed-minimal", to: .client, stream: 1, .unsubscribed(DropCounts())),
        Sample("unsubscribed-full", to: .client, stream: 1, .unsubscribed(allDrops)),
        Sample("credit", to: .server, stream: 1, .credit(3)),
        Sample(
            "acknowledge", to: .server, stream: 1,
            .acknowledge(FramePosition(epoch: 1_796_064_432_000_000_000, sequence: 4711))),
    ]

    private static let allDrops: DropCounts = {
        var drops = DropCounts()
        for reason in DropReason.allCases { drops.add(reason, UInt64(reason.rawValue) * 10) }
        return drops
    }()

    private static let frames = [
        Sample(
            "frame-minimal", stream: 1,
            FrameMetadata(
                position: FramePosition(epoch: 1_796_064_432_000_000_000, sequence: 0), captureTime: 1_000_000_000,
                captureTimeUTC: 1_796_064_432_123_456_789,
                stages: StageTimes(
                    captured: 1_000_400_000, encodeStarted: 1_000_500_000, encoded: 1_014_500_000, sent: 1_014_600_000),
                size: PixelSize(width: 1280, height: 720), codec: .webp, pixelFormat: nil, colorimetry: .webp),
            payload: Array("RIFF....WEBP".utf8)),
        Sample(
            "frame-full", stream: 2,
            FrameMetadata(
                position: FramePosition(epoch: 1_796_064_432_000_000_000, sequence: 4712), captureTime: 2_000_000_000,
                captureTimeUTC: 1_796_064_433_123_456_789,
                stages: StageTimes(
                    captured: 2_000_400_000, encodeStarted: 2_000_500_000, encoded: 2_000_500_000,
                    sent: 2_000_600_000),
                size: PixelSize(width: 3, height: 3), codec: .raw, pixelFormat: .i420,
                colorimetry: Colorimetry(matrix: .bt709, range: .limited, transfer: .bt709), isRedelivered: true,
                drops: allDrops),
            payload: [16, 40, 64, 88, 112, 136, 160, 184, 208, 90, 100, 110, 120, 130, 140, 150, 160]),
    ]

    private static let connection = [
        Sample("ping", to: .server, .ping(Ping(originate: 1_000_000_000))),
        Sample(
            "pong", to: .client,
            .pong(Pong(originate: 1_000_000_000, receive: 52_000_150_000, transmit: 52_000_160_000))),
        Sample("status-minimal", to: .client, .status(CameraStatus(camera: "camera0", state: .idle))),
        Sample(
            "status-full", to: .client, stream: 1,
            .status(
                CameraStatus(
                    camera: "camera0", state: .ended, reason: .corrupt, text: "clip.y4m: cut short after frame 41",
                    drops: DropCounts(.lateData, 2)))),
        Sample(
            "error-minimal", to: .client, stream: 1,
            .error(Failure(code: .unknownCamera, closesConnection: false, text: ""))),
        Sample(
            "error-full", to: .client,
            .error(Failure(code: .serverFull, closesConnection: true, text: "the server has its 8 clients"))),
        Sample("bye-minimal", to: .server, .bye(Bye())),
        Sample("bye-full", to: .client, .bye(Bye(code: .shuttingDown, text: "stopped by a signal"))),
    ]

    private static let controls = [
        Sample("listControls", to: .server, .listControls(camera: "camera0")),
        Sample("controls-minimal", to: .client, .controls(ControlList(camera: "camera0", controls: []))),
        Sample(
            "controls-full", to: .client,
            .controls(
                ControlList(
                    camera: "camera0",
                    controls: [
                        ControlDescription(
                            name: "brightness", kind: .integer, isReadOnly: false, isInactive: false,
                            isVolatile: false, minimum: -64, maximum: 64, step: 1, defaultValue: 0,
                            value: .integer(-5), menu: []),
                        ControlDescription(
                            name: "power_line_frequency", kind: .menu, isReadOnly: false, isInactive: true,
                            isVolatile: false, minimum: 0, maximum: 1, step: 1, defaultValue: 1,
                            value: .integer(1),
                            menu: [
                                ControlMenuItem(index: 0, name: "Disabled"), ControlMenuItem(index: 1, name: "50 Hz"),
                            ]),
                        ControlDescription(
                            name: "station", kind: .string, isReadOnly: true, isInactive: false, isVolatile: true,
                            minimum: 0, maximum: 8, step: 1, defaultValue: 0, value: .string("Camstream"), menu: []),
                    ]))),
        Sample("getControl", to: .server, .getControl(ControlName(camera: "camera0", control: "brightness"))),
        Sample(
            "setControl", to: .server,
            .setControl(ControlValue(camera: "camera0", control: "brightness", value: .integer(-5)))),
        Sample(
            "controlValue-integer", to: .client,
            .controlValue(ControlValue(camera: "camera0", control: "brightness", value: .integer(12)))),
        Sample(
            "controlValue-string", to: .client,
            .controlValue(ControlValue(camera: "camera0", control: "station", value: .string("Größe")))),
    ]
}
