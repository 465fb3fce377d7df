import CameraMedia
import CameraProtocol
import CameraTransport
import Foundation

/// Clients: what they ask for, and when they are gone.
extension ServerCore {
    func welcome(_ socket: Socket) throws(SocketError) {
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
            logOnce("refused \(client.peer): \(clients.count) clients are the most", kind: "full")
            client.fail(0, .serverFull, "the server has as many clients as it takes", closes: true)
            channel.finish()
            refused[id] = client
            return
        }
        clients[id] = client
        statistics.clientCount += 1
        log(.debug, "\(client.peer): connected")
    }

    private func received(_ event: MessageChannel.Event, from id: ClientID) {
        guard let client = clients[id] else {
            if case .closed = event { refused[id] = nil }
            return
        }
        switch event {
        case .opened, .frame: break
        case .message(let message, let stream): react(client.session.received(message, stream: stream), of: client)
        case .drained: drained(client)
        case .violated(let error):
            logOnce("\(client.peer.withoutPort): \(error)", kind: "\(client.peer.withoutPort) \(error.code)")
            closeStreams(of: client)
        case .closed(let reason): lost(client, reason)
        }
    }

    private func drained(_ client: Client) {
        let now = HostTime.now()
        for camera in Set(client.streams.values.map(\.camera)) {
            cameras[camera].delivery.connectionChanged(
                client.id, waiting: client.channel.waitingFrameCount, at: now)
            settleSoon(camera)
        }
    }

    private func lost(_ client: Client, _ reason: MessageChannel.CloseReason) {
        switch reason {
        case .endOfStream: log(.info, "\(client.description): disconnected")
        case .failed(let code): log(.info, "\(client.description): \(String(cString: strerror(code)))")
        case .protocolError: break  // Logged when it happened.
        }
        forget(client)
    }

    func forget(_ client: Client) {
        guard clients.removeValue(forKey: client.id) != nil else { return }
        client.channel.close()
        statistics.clientCount -= 1
        closeStreams(of: client)
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
            settleSoon(camera)
        case .unsubscribe(let stream):
            let drops = unsubscribe(stream, of: client)
            client.channel.send(.unsubscribed(drops), stream: stream)
        case .credit(let stream, let count):
            guard let (camera, subscription) = client.streams[stream] else { return }
            cameras[camera].delivery.credited(subscription, count, at: .now())
            settleSoon(camera)
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
        closeStreams(of: client)
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

    // MARK: - Streams

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
            id, of: client.id, subscribe.request, accepted: client.hello?.codecs ?? [],
            credit: Int(subscribe.credit), at: .now())
        settleSoon(camera)
    }

    /// Ends a stream; what was decided for it before is sent first.
    @discardableResult
    func unsubscribe(_ stream: StreamID, of client: Client) -> DropCounts {
        guard let (camera, subscription) = client.streams[stream] else { return DropCounts() }
        for action in cameras[camera].delivery.actions where action.subscription == subscription {
            settle(camera)
            break
        }
        guard client.streams[stream] != nil else { return DropCounts() }
        forgetStream(stream, of: client)
        let drops = cameras[camera].delivery.unsubscribed(subscription)
        settleSoon(camera)
        return drops
    }

    func forgetStream(_ stream: StreamID, of client: Client) {
        guard let (_, subscription) = client.streams.removeValue(forKey: stream) else { return }
        client.session.ended(stream)
        subscribers[subscription] = nil
        statistics.streamCount -= 1
    }

    private func closeStreams(of client: Client) {
        for stream in client.streams.keys { unsubscribe(stream, of: client) }
    }

    // MARK: - Time

    func scheduleTick() {
        guard !isStopped else { return }
        loop.schedule(at: HostTime.now().advanced(by: 1_000_000_000)) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func tick() {
        let now = HostTime.now()
        for client in Array(clients.values) where !client.channel.isFinishing { judge(client, at: now) }
        logRepetitions(at: now)
        scheduleTick()
    }

    private func judge(_ client: Client, at now: HostTime) {
        let verdict = client.liveness.judge(
            at: now, lastActivity: client.channel.lastActivity, isActive: client.session.isActive,
            isPeerSilent: client.channel.isPeerSilent(forMilliseconds: ClientLiveness.silenceMilliseconds))
        switch verdict {
        case .fine: return
        case .ping:
            client.channel.send(.ping(Ping(originate: now.nanoseconds)))
            return
        case .silentAtStart:
            logOnce("\(client.peer.withoutPort): closed, it never said hello")
        case .dead: log(.info, "\(client.description): closed, its machine does not answer")
        case .stalled: log(.info, "\(client.description): closed, nothing moved for \(configuration.stallLimit)")
        }
        forget(client)
    }
}
