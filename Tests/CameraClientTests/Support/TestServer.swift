import CameraMedia
import CameraProtocol
import CameraTransport

/// A server made of a listener and message channels, whose every step the test decides.
actor TestServer {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    /// Where the server listens.
    nonisolated let endpoint: Endpoint
    /// The connections, as they come.
    nonisolated let peers: AsyncStream<TestPeer>

    private let arrivals: AsyncStream<TestPeer>.Continuation
    private var listener: Socket?
    private var registration: EventLoop.Registration?

    /// Listens on a free port of the loopback interface, or on the one given.
    static func start(port: UInt16 = 0) async throws -> TestServer {
        let loop = try EventLoop.shared()
        let addresses = try SocketAddress.resolve(host: "127.0.0.1", port: port, isPassive: true)
        guard let address = addresses.first else { throw CancellationError() }
        let listener = try Socket.listen(on: address)
        let server = TestServer(loop: loop, listener: listener)
        try await server.accept()
        return server
    }

    private init(loop: EventLoop, listener: Socket) {
        self.loop = loop
        self.listener = listener
        endpoint = .tcp(host: "127.0.0.1", port: listener.localAddress?.port ?? 0)
        (peers, arrivals) = AsyncStream.makeStream(of: TestPeer.self)
    }

    isolated deinit {
        stop()
    }

    private func accept() throws {
        guard let listener else { return }
        registration = try loop.register(listener.descriptor, for: .read) { [weak self] _ in
            self?.assumeIsolated { server in
                guard let socket = try? server.listener?.accept() else { return }
                server.arrivals.yield(TestPeer(loop: server.loop, socket: socket))
            }
        }
    }

    /// Listens no longer.
    func stop() {
        if let registration { loop.unregister(registration) }
        registration = nil
        listener = nil
        arrivals.finish()
    }

    /// The next connection.
    nonisolated func nextPeer() async throws -> TestPeer {
        guard let peer = await peers.first(where: { _ in true }) else { throw CancellationError() }
        return peer
    }
}

/// One connection of a test server.
actor TestPeer {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    /// What the client sends, pings left out: those are answered.
    nonisolated let messages: AsyncStream<Message>

    private let received: AsyncStream<Message>.Continuation
    private var channel: MessageChannel?
    /// The credit that the client gave and that was not used.
    private(set) var credit = 0
    private var creditWaiters: [(Int, CheckedContinuation<Void, Never>)] = []

    init(loop: EventLoop, socket: Socket) {
        self.loop = loop
        (messages, received) = AsyncStream.makeStream(of: Message.self)
        assumeIsolatedOnLoop(socket)
    }

    isolated deinit {
        channel?.close()
    }

    private nonisolated func assumeIsolatedOnLoop(_ socket: Socket) {
        assumeIsolated { peer in
            peer.channel = try? MessageChannel(
                socket: socket, loop: peer.loop, side: .server, pool: MemoryPool(limit: 1)
            ) { [weak peer] event in
                peer?.assumeIsolated { $0.handle(event) }
            }
        }
    }

    private func handle(_ event: MessageChannel.Event) {
        switch event {
        case .opened, .frame, .violated, .drained: break
        case .closed: received.finish()
        case .message(.ping(let ping), _):
            let now = HostTime.now().nanoseconds
            channel?.send(.pong(Pong(originate: ping.originate, receive: now, transmit: now)))
        case .message(let message, _):
            if case .subscribe(let subscribe) = message { credit = Int(subscribe.credit) }
            if case .credit(let count) = message { credit += Int(count) }
            received.yield(message)
            let ready = creditWaiters.filter { $0.0 <= credit }
            creditWaiters.removeAll { $0.0 <= credit }
            for waiter in ready { waiter.1.resume() }
        }
    }

    /// Sends a message of the connection or of a stream.
    func send(_ message: Message, stream: StreamID = 0) {
        channel?.send(message, stream: stream)
    }

    /// Sends a frame, whether there is credit or not.
    func send(
        epoch: UInt64, sequence: UInt64, drops: DropCounts = DropCounts(), capturedAt: UInt64? = nil,
        image: EncodedImage = .pixel(0)
    ) {
        let now = capturedAt ?? HostTime.now().nanoseconds
        credit -= 1
        channel?.send(
            FrameMetadata(
                position: FramePosition(epoch: epoch, sequence: sequence), captureTime: now,
                captureTimeUTC: 1_700_000_000_123_456_789,
                stages: StageTimes(captured: now, encodeStarted: now, encoded: now, sent: now), size: image.size,
                codec: image.codec, pixelFormat: image.pixelFormat, colorimetry: image.colorimetry, drops: drops),
            payload: image.data, stream: 1)
    }

    /// Waits until the client gave as much credit.
    func waitForCredit(_ count: Int) async {
        if credit >= count { return }
        await withCheckedContinuation { creditWaiters.append((count, $0)) }
    }

    /// Greets the client and grants what it subscribes to.
    nonisolated func serve(cameras: [String] = ["camera"]) async throws -> Subscribe {
        try await expect { if case .hello = $0 { () } else { nil } }
        await send(
            .welcome(
                Welcome(
                    name: "test", maximumFrameByteCount: UInt32(Limits.frameByteCount), codecs: [.raw],
                    cameras: cameras.map {
                        CameraDescription(
                            name: $0, localizedName: $0, state: .running, reason: .none,
                            size: PixelSize(width: 1, height: 1), frameRate: .thirty)
                    })))
        let subscribe = try await expect { if case .subscribe(let subscribe) = $0 { subscribe } else { nil } }
        await send(
            .subscribed(
                Subscribed(
                    camera: "camera", sourceSize: PixelSize(width: 1, height: 1), sourceFrameRate: .thirty,
                    size: PixelSize(width: 1, height: 1), crop: nil, frameRate: .thirty, codec: .raw, quality: 80,
                    pixelFormat: nil, delivery: subscribe.request.delivery)), stream: 1)
        return subscribe
    }

    /// Waits for a message of the client; others before it are passed over.
    @discardableResult
    nonisolated func expect<Value>(_ pick: (Message) -> Value?) async throws -> Value {
        for await message in messages {
            if let value = pick(message) { return value }
        }
        throw RemoteClosed()
    }

    /// Waits until the client closed.
    nonisolated func waitForClose() async {
        for await _ in messages {}
    }

    /// Closes at once, as a killed process does.
    func kill() {
        channel?.close()
        channel = nil
        received.finish()
    }

    /// Says goodbye in order.
    func finish() {
        channel?.finish()
    }

    struct RemoteClosed: Error {}
}

extension EncodedImage {
    /// A raw picture of one gray pixel.
    static func pixel(_ value: UInt8) -> EncodedImage {
        EncodedImage(
            codec: .raw, width: 1, height: 1, pixelFormat: .gray8,
            colorimetry: Colorimetry(matrix: .bt601, range: .full), data: SharedBytes(copying: [value]))
    }
}
