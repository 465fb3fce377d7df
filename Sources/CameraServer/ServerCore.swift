import CameraCapture
import CameraMedia
import CameraProtocol
import CameraTransport
import Foundation

/// All of a server's state, on the event loop's thread.
actor ServerCore {
    private struct Camera {
        let localizedName: String
        let output: StreamOutput
        var delivery: CameraDelivery
        var hasReportedEnd = false
    }

    nonisolated let loop: EventLoop
    nonisolated let configuration: CameraServer.Configuration
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var cameraEnded: (@Sendable (String, CaptureState) -> Void)?
    private(set) var statistics = ServerStatistics()
    private let encoders: EncoderPool
    private var schedule: EncoderSchedule
    private var cameras: [Camera] = []
    private var clients: [ClientID: Client] = [:]
    private var subscribers: [SubscriptionID: (client: ClientID, stream: StreamID)] = [:]
    private var listeners: [Listener] = []
    private var nextClient: UInt64 = 0
    private var nextSubscription: UInt64 = 0
    private var deadlineTimer: (time: HostTime, id: TimerQueue.ID)?
    private var stopCompletion: (@Sendable () -> Void)?
    private var isStopped = false
    private var failures = RepeatedLines()

    private struct Listener {
        let socket: Socket
        var registration: EventLoop.Registration?
        let path: String?
    }

    init(loop: EventLoop, configuration: CameraServer.Configuration) {
        self.loop = loop
        self.configuration = configuration
        let encoders = EncoderPool()
        self.encoders = encoders
        schedule = EncoderSchedule(encoderCount: encoders.threadCount)
    }

    /// Runs a closure with the core on the loop's thread and waits for its result.
    nonisolated func onLoop<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (isolated ServerCore) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if loop.isCurrent {
            return try assumeIsolated { core in Result { () throws(Failure) in try body(core) } }.get()
        }
        let result = OneShot<Result<Value, Failure>>()
        loop.execute { [self] in
            assumeIsolated { core in result.set(Result { () throws(Failure) in try body(core) }) }
        }
        return try result.wait().get()
    }

    // MARK: - Cameras

    func addCamera(name: String, localizedName: String) throws(CameraServerError) -> StreamOutput {
        let isValid = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isValid, !name.isEmpty, name.utf8.count <= Limits.nameByteCount else { throw .invalidName(name) }
        guard !cameras.contains(where: { $0.delivery.name == name }) else { throw .nameTaken(name) }
        guard cameras.count < Limits.cameraCount else { throw .tooManyCameras }
        let output = StreamOutput(name: name, camera: cameras.count, core: self)
        let ceilings = StreamCeilings(
            size: configuration.preset.maximumSize, frameRate: configuration.frameRate,
            quality: configuration.quality ?? configuration.preset.quality)
        cameras.append(
            Camera(
                localizedName: localizedName, output: output, delivery: CameraDelivery(name: name, ceilings: ceilings)))
        return output
    }

    /// Something came from a camera's session.
    func received(_ event: CaptureEvent, from camera: Int) {
        let now = HostTime.now()
        var accounted = 0
        switch event {
        case .format(let format):
            log(.info, "\(cameras[camera].delivery.name): \(format.summary)")
            cameras[camera].delivery.formatChanged(to: format, at: now)
        case .sample(let sample):
            accounted = 1
            cameras[camera].delivery.arrived(sample, at: now)
        case .state(let state):
            logState(state, of: camera)
            cameras[camera].hasReportedEnd = false
            cameras[camera].delivery.stateChanged(to: state, at: now)
        }
        perform(camera, accounted: accounted)
    }

    private func logState(_ state: CaptureState, of camera: Int) {
        let text = state.text.isEmpty ? state.reason == .none ? "" : ": \(state.reason.name)" : ": \(state.text)"
        let level: LogLevel =
            switch state.state {
            case .interrupted: .error
            case .ended where state.reason == .corrupt: .error
            case .running, .ended: .info
            case .idle, .starting: .debug
            }
        log(level, "\(cameras[camera].delivery.name): \(state.state.name)\(text)")
    }

    /// Does what a camera's delivery decided, and gives the encoders work.
    private func perform(_ camera: Int, accounted: Int = 0) {
        for action in cameras[camera].delivery.takeActions() { perform(action, of: camera) }
        pump()
        let delivery = cameras[camera].delivery
        cameras[camera].output.report(delivery.demand, room: delivery.room, accounted: accounted)
        setDeadline()
        // A file that plays to its end is over once somebody saw it; one that is broken is over at once.
        let isOver = delivery.arrivals > 0 || delivery.state.reason == .corrupt
        if delivery.isDrained, !cameras[camera].hasReportedEnd, isOver {
            cameras[camera].hasReportedEnd = true
            cameraEnded?(delivery.name, delivery.state)
        }
    }

    private func perform(_ action: CameraDelivery.Action, of camera: Int) {
        switch action {
        case .frame(let id, let metadata, let payload):
            guard let (client, stream) = receiver(id) else { return }
            let byteCount = payload.count + Limits.frameMetadataByteCount
            guard byteCount <= Int(client.hello?.maximumFrameByteCount ?? 0) else {
                close(
                    stream, of: client, because: .limitExceeded,
                    "a frame of \(payload.count) bytes exceeds what the client takes")
                return
            }
            statistics.sentFrameCount += 1
            client.channel.send(metadata, payload: payload, stream: stream)
        case .granted(let id, let grant):
            guard let (client, stream) = receiver(id) else { return }
            log(.debug, "\(client.description): \(grant.camera) as \(grant.codec.name) \(grant.size)")
            client.channel.send(.subscribed(grant), stream: stream)
        case .status(let id, let status):
            guard let (client, stream) = receiver(id) else { return }
            client.channel.send(.status(status), stream: stream)
        case .refused(let id, let refusal):
            guard let (client, stream) = receiver(id) else { return }
            subscribers[id] = nil
            client.streams[stream] = nil
            client.session.ended(stream)
            statistics.streamCount -= 1
            client.fail(stream, refusal.code, refusal.text)
        case .codecChanged(let size, let change):
            log(
                .info,
                "\(cameras[camera].delivery.name): \(change.codec.name) for \(size) from now on; \(change.reason)")
        }
    }

    private func receiver(_ id: SubscriptionID) -> (Client, StreamID)? {
        guard let (client, stream) = subscribers[id], let client = clients[client] else { return nil }
        return (client, stream)
    }

    private func setDeadline() {
        let deadline = cameras.compactMap(\.delivery.deadline).min()
        guard deadline != deadlineTimer?.time else { return }
        if let id = deadlineTimer?.id { loop.cancel(id) }
        deadlineTimer = deadline.map { time in
            (time, loop.schedule(at: time) { [weak self] in self?.assumeIsolated { $0.deadlineCame() } })
        }
    }

    private func deadlineCame() {
        deadlineTimer = nil
        let now = HostTime.now()
        for camera in cameras.indices {
            cameras[camera].delivery.timePassed(to: now)
            perform(camera)
        }
    }

    // MARK: - Encoding

    private func pump() {
        while true {
            let ready = cameras.indices.flatMap { camera in
                cameras[camera].delivery.readyTurns.map { turn in
                    (turn: EncoderSchedule.Turn(camera: camera, rendition: turn.turn), isOrdered: turn.isOrdered)
                }
            }
            guard !ready.isEmpty, let turn = schedule.next(ready) else { return }
            guard let job = cameras[turn.camera].delivery.takeJob(from: turn.rendition) else {
                schedule.finished()
                continue
            }
            encoders.submit(job) { [self] outcome in
                loop.execute { [self] in assumeIsolated { $0.finished(job, outcome, of: turn.camera) } }
            }
        }
    }

    private func finished(_ job: EncodeJob, _ outcome: EncoderPool.Outcome, of camera: Int) {
        schedule.finished()
        var encoded: EncodedFrame?
        switch outcome {
        case .encoded(let frame):
            statistics.encodedFrameCount += 1
            encoded = frame
        case .failed(let reason):
            logOnce("\(cameras[camera].delivery.name): a frame cannot be encoded as \(job.key.codec.name): \(reason)")
        }
        cameras[camera].delivery.finished(job, encoded, at: .now())
        perform(camera)
    }

    // MARK: - Listening

    func listen(on sockets: [Socket], path: String?) throws(SocketError) {
        if listeners.isEmpty { scheduleTick() }
        for socket in sockets {
            let registration = try loop.register(socket.descriptor, for: .read) { [weak self] _ in
                self?.assumeIsolated { $0.accept(from: socket) }
            }
            listeners.append(Listener(socket: socket, registration: registration, path: path))
        }
    }

    private func accept(from listener: Socket) {
        do throws(SocketError) {
            while let socket = try listener.accept() { try welcome(socket) }
        } catch {
            // Descriptors or memory are out: the connection waits in the kernel until some are free.
            logOnce("cannot accept a connection: \(error.reason)")
            pauseListening()
        }
    }

    private func pauseListening() {
        for index in listeners.indices {
            if let registration = listeners[index].registration { loop.setInterest([], of: registration) }
        }
        loop.schedule(at: HostTime.now().advanced(by: 200_000_000)) { [weak self] in
            self?.assumeIsolated { $0.resumeListening() }
        }
    }

    private func resumeListening() {
        for listener in listeners {
            if let registration = listener.registration { loop.setInterest(.read, of: registration) }
        }
    }

    // MARK: - Clients

    private func welcome(_ socket: Socket) throws(SocketError) {
        let id = ClientID(number: nextClient)
        nextClient += 1
        // Clients send no frames, so their payloads need no memory.
        let channel = try MessageChannel(
            socket: socket, loop: loop, side: .server, pool: MemoryPool(limit: 0)
        ) { [weak self] event in
            self?.assumeIsolated { $0.received(event, from: id) }
        }
        let client = Client(
            id: id, channel: channel,
            liveness: ClientLiveness(at: .now(), stallLimit: configuration.stallLimit.nanoseconds))
        guard clients.count < configuration.maximumClientCount else {
            logOnce("refused \(client.peer): \(clients.count) clients are the most")
            client.fail(0, .serverFull, "the server has as many clients as it takes", closes: true)
            channel.finish()
            refused[id] = client
            return
        }
        clients[id] = client
        statistics.clientCount += 1
        log(.debug, "\(client.peer): connected")
    }

    /// Clients that are told why they cannot stay; kept until that is written.
    private var refused: [ClientID: Client] = [:]

    private func received(_ event: MessageChannel.Event, from id: ClientID) {
        guard let client = clients[id] else {
            if case .closed = event { refused[id] = nil }
            return
        }
        switch event {
        case .opened, .frame: break
        case .message(let message, let stream): react(client.session.received(message, stream: stream), of: client)
        case .closed(let reason): lost(client, reason)
        }
    }

    private func lost(_ client: Client, _ reason: MessageChannel.CloseReason) {
        switch reason {
        case .endOfStream: log(.info, "\(client.description): disconnected")
        case .failed(let code): log(.info, "\(client.description): \(String(cString: strerror(code)))")
        case .protocolError(let error): logOnce("\(client.peer.withoutPort): \(error)")
        }
        forget(client)
    }

    private func forget(_ client: Client) {
        guard clients.removeValue(forKey: client.id) != nil else { return }
        client.channel.close()
        statistics.clientCount -= 1
        for stream in client.streams.keys { unsubscribe(stream, of: client) }
        if clients.isEmpty { stopIfDone() }
    }

    private func react(_ reaction: ClientSession.Reaction, of client: Client) {
        switch reaction {
        case .none: break
        case .welcome(let hello):
            client.hello = hello
            log(.info, "\(client.description): connected")
            client.channel.send(.welcome(welcomeMessage))
        case .subscribe(let stream, let subscribe): self.subscribe(stream, subscribe, of: client)
        case .update(let stream, let request):
            guard let (camera, subscription) = client.streams[stream] else { return }
            cameras[camera].delivery.updated(subscription, request, at: .now())
            perform(camera)
        case .unsubscribe(let stream):
            let drops = unsubscribe(stream, of: client)
            client.channel.send(.unsubscribed(drops), stream: stream)
        case .credit(let stream, let count):
            guard let (camera, subscription) = client.streams[stream] else { return }
            cameras[camera].delivery.credited(subscription, count, at: .now())
            perform(camera)
        case .pong(let ping):
            let now = HostTime.now().nanoseconds
            client.channel.send(.pong(Pong(originate: ping.originate, receive: now, transmit: now)))
        case .fail(let stream, let code, let text): client.fail(stream, code, text)
        case .close(let code, let text):
            client.fail(0, code, text, closes: true)
            dismiss(client)
        case .leave: dismiss(client)
        }
    }

    /// Closes a connection once what waits is written; its streams end now.
    private func dismiss(_ client: Client) {
        for stream in client.streams.keys { unsubscribe(stream, of: client) }
        client.channel.finish()
    }

    private var welcomeMessage: Welcome {
        Welcome(
            name: configuration.name, maximumFrameByteCount: UInt32(Limits.frameByteCount),
            codecs: ImageCodec.allCases,
            cameras: cameras.map { camera in
                CameraDescription(
                    name: camera.delivery.name, localizedName: camera.localizedName,
                    state: camera.delivery.state.state, reason: camera.delivery.state.reason,
                    size: camera.delivery.format?.size ?? PixelSize(width: 0, height: 0),
                    frameRate: camera.delivery.format?.frameRate)
            })
    }

    private func subscribe(_ stream: StreamID, _ subscribe: Subscribe, of client: Client) {
        let index =
            subscribe.camera.isEmpty
            ? cameras.indices.first : cameras.firstIndex { $0.delivery.name == subscribe.camera }
        guard let camera = index else {
            client.session.ended(stream)
            let names = cameras.map(\.delivery.name).joined(separator: ", ")
            client.fail(
                stream, .unknownCamera,
                subscribe.camera.isEmpty
                    ? "this server has no camera"
                    : "no camera is named \(subscribe.camera.printable); there are: \(names)")
            return
        }
        let id = SubscriptionID(number: nextSubscription)
        nextSubscription += 1
        client.streams[stream] = (camera, id)
        subscribers[id] = (client.id, stream)
        statistics.streamCount += 1
        cameras[camera].delivery.subscribed(
            id, subscribe.request, accepted: client.hello?.codecs ?? [], credit: Int(subscribe.credit), at: .now())
        perform(camera)
    }

    @discardableResult
    private func unsubscribe(_ stream: StreamID, of client: Client) -> DropCounts {
        guard let (camera, subscription) = client.streams.removeValue(forKey: stream) else { return DropCounts() }
        subscribers[subscription] = nil
        statistics.streamCount -= 1
        let drops = cameras[camera].delivery.unsubscribed(subscription)
        perform(camera)
        return drops
    }

    private func close(_ stream: StreamID, of client: Client, because code: ErrorCode, _ text: String) {
        unsubscribe(stream, of: client)
        client.session.ended(stream)
        client.fail(stream, code, text)
    }

    // MARK: - Time

    private func scheduleTick() {
        guard !isStopped else { return }
        loop.schedule(at: HostTime.now().advanced(by: 1_000_000_000)) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func tick() {
        let now = HostTime.now()
        for client in Array(clients.values) {
            let verdict = client.liveness.judge(
                at: now, lastActivity: client.channel.lastActivity, isActive: client.session.isActive,
                isPeerSilent: client.channel.isPeerSilent(forMilliseconds: ClientLiveness.silenceMilliseconds))
            switch verdict {
            case .fine: continue
            case .ping:
                client.channel.send(.ping(Ping(originate: now.nanoseconds)))
                continue
            case .silentAtStart: logOnce("\(client.peer.withoutPort): closed, it never said hello")
            case .dead: log(.info, "\(client.description): closed, its machine does not answer")
            case .stalled: log(.info, "\(client.description): closed, nothing moved for \(configuration.stallLimit)")
            }
            forget(client)
        }
        for line in failures.summaries(at: now) { configuration.log(.info, line) }
        scheduleTick()
    }

    // MARK: - The end

    /// Stops; what waits is sent first, as far as that goes within the limit.
    nonisolated func stop(within limit: Duration, completion: @escaping @Sendable () -> Void) {
        loop.execute { [self] in assumeIsolated { $0.stopNow(within: limit, completion: completion) } }
    }

    private func stopNow(within limit: Duration, completion: @escaping @Sendable () -> Void) {
        guard !isStopped else { return completion() }
        isStopped = true
        stopCompletion = completion
        for listener in listeners {
            if let registration = listener.registration { loop.unregister(registration) }
            if let path = listener.path { unlink(path) }
        }
        listeners = []
        for client in Array(clients.values) {
            client.channel.send(.bye(Bye(code: .shuttingDown, text: "the server stops")))
            client.channel.finish()
        }
        stopIfDone()
        loop.schedule(at: HostTime.now().advanced(by: limit.nanoseconds)) { [self] in
            assumeIsolated { core in
                for client in Array(core.clients.values) { core.forget(client) }
                core.stopIfDone()
            }
        }
    }

    private func stopIfDone() {
        guard isStopped, clients.isEmpty, let completion = stopCompletion else { return }
        stopCompletion = nil
        encoders.stop()
        completion()
    }

    // MARK: - The log

    private func log(_ level: LogLevel, _ line: String) {
        configuration.log(level, line)
    }

    /// Logs a fault once, then counts it.
    private func logOnce(_ line: String) {
        if failures.occurred(line, at: .now()) { configuration.log(.error, line) }
    }
}
