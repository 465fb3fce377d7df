import CameraMedia
import CameraProtocol
import CameraTransport

/// One end of a connection as a message channel, whose events a test reads one by one.
actor ChannelProbe {
    /// A frame as it came; the payload is `nil` if there was no block for it.
    struct Frame: Sendable {
        let metadata: FrameMetadata
        let payload: SharedBytes?
    }

    /// What happened on the channel.
    enum Event: Sendable {
        case opened(Preamble)
        case message(Message, StreamID)
        case frame(Frame)
        case closed(MessageChannel.CloseReason)
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let events: AsyncStream<Event>
    private let happened: AsyncStream<Event>.Continuation
    private let answersPings: Bool
    private var channel: MessageChannel?

    init(
        side: Side, socket: Socket, pool: MemoryPool = MemoryPool(limit: 8), answersPings: Bool = false
    ) async throws {
        self.answersPings = answersPings
        loop = try EventLoop.shared()
        (events, happened) = AsyncStream.makeStream(of: Event.self)
        try open(side, socket, pool)
    }

    isolated deinit {
        channel?.close()
    }

    private func open(_ side: Side, _ socket: Socket, _ pool: MemoryPool) throws {
        channel = try MessageChannel(socket: socket, loop: loop, side: side, pool: pool) { [weak self] event in
            self?.assumeIsolated { $0.note(event) }
        }
    }

    private func note(_ event: MessageChannel.Event) {
        switch event {
        case .opened(let preamble): happened.yield(.opened(preamble))
        case .message(.ping(let ping), _) where answersPings:
            channel?.send(.pong(Pong(originate: ping.originate, receive: 0, transmit: 0)))
        case .message(let message, let stream): happened.yield(.message(message, stream))
        case .violated, .drained: break
        case .frame(let metadata, _, let payload):
            happened.yield(.frame(Frame(metadata: metadata, payload: payload)))
        case .closed(let reason):
            happened.yield(.closed(reason))
            happened.finish()
        }
    }

    /// The next event.
    nonisolated func next() async -> Event? {
        await events.first { _ in true }
    }

    /// The next messages, `count` of them; others are passed over.
    nonisolated func messages(_ count: Int) async -> [Message] {
        var messages: [Message] = []
        while messages.count < count, let event = await next() {
            if case .message(let message, _) = event { messages.append(message) }
        }
        return messages
    }

    /// The next frame; other events are passed over.
    nonisolated func frame() async -> Frame? {
        while let event = await next() {
            if case .frame(let frame) = event { return frame }
        }
        return nil
    }

    /// Why the channel was closed; other events are passed over.
    nonisolated func closeReason() async -> MessageChannel.CloseReason? {
        while let event = await next() {
            if case .closed(let reason) = event { return reason }
        }
        return nil
    }

    func send(_ message: Message, stream: StreamID = 0) { channel?.send(message, stream: stream) }
    func send(_ metadata: FrameMetadata, payload: SharedBytes) { channel?.send(metadata, payload: payload, stream: 1) }
    func finish() { channel?.finish(within: 60_000_000_000) }
    func close() {
        channel?.close()
        channel = nil
    }

    var waitingFrameCount: Int { channel?.waitingFrameCount ?? 0 }
    var isOpen: Bool { channel?.isOpen ?? false }
}

extension FrameMetadata {
    /// A JPEG frame of no particular content.
    static func sample(_ sequence: UInt64) -> FrameMetadata {
        FrameMetadata(
            position: FramePosition(epoch: 1, sequence: sequence), captureTime: 1, captureTimeUTC: 2,
            stages: StageTimes(captured: 1, encodeStarted: 1, encoded: 1, sent: 0),
            size: PixelSize(width: 64, height: 64), codec: .jpeg, pixelFormat: nil, colorimetry: .jpeg)
    }
}

extension SharedBytes {
    /// Bytes that differ from place to place.
    static func pattern(_ count: Int) -> SharedBytes {
        // A prime, so that no two pages are the same.
        let block = (0..<4093).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return SharedBytes(copying: bytes)
    }
}
