import CameraMedia
import CameraProtocol
import CameraTransport

extension RemoteCameraCore {
    // MARK: - Connecting

    /// Begins to connect.
    func connect() {
        guard end == nil else { return }
        timer = nil
        policy.connecting()
        if case .reconnecting = states.current {} else { states.publish(.connecting) }
        let connector = Connector(loop: loop, timeLimit: options.connectionTimeLimit.wholeNanoseconds) {
            [weak self] result in
            self?.assumeIsolated { $0.connected(result) }
        }
        self.connector = connector
        connector.start(endpoint)
    }

    private func connected(_ result: Result<Socket, Connector.Failure>) {
        connector = nil
        switch result {
        case .failure(let failure): failed(RemoteCameraError(failure, endpoint: endpoint))
        case .success(let socket):
            do {
                let channel = try MessageChannel(socket: socket, loop: loop, side: .client, pool: payloads) {
                    [weak self] event in
                    self?.assumeIsolated { $0.handle(event) }
                }
                self.channel = channel
                isGreeted = false
                clock = ClockEstimator()
                liveness = Liveness(at: .now())
                channel.send(
                    .hello(
                        Hello(
                            name: options.clientName, maximumFrameByteCount: UInt32(Limits.frameByteCount),
                            codecs: [.webp, .jpeg, .raw])))
                look()
            } catch {
                failed(RemoteCameraError(.disconnected, subject: "\(endpoint)", reason: error.reason))
            }
        }
    }

    /// The attempt failed or the connection broke: tries again later, or ends.
    func failed(_ error: RemoteCameraError) {
        guard end == nil else { return }
        disconnect()
        switch policy.failed(error, random: .random(in: 0..<1)) {
        case .giveUp: finish(error)
        case .retry(let delay):
            states.publish(.reconnecting(after: .nanoseconds(Int64(delay)), because: error))
            timer = schedule(at: HostTime.now().advanced(by: delay)) { $0.connect() }
            perform()
        }
    }

    /// Ends: what was received can still be had.
    func finish(_ error: RemoteCameraError) {
        guard end == nil else { return }
        end = error
        if let channel, channel.isOpen {
            channel.send(.bye(Bye()))
            channel.finish()
        }
        let finishing = channel
        disconnect(closing: false)
        // Kept until what waits is written; a second at most.
        if let finishing {
            loop.schedule(at: HostTime.now().advanced(by: 1_100_000_000)) { withExtendedLifetime(finishing) {} }
        }
        states.publish(.ended(error))
        states.finish()
        perform()
    }

    private func disconnect(closing: Bool = true) {
        if let timer { loop.cancel(timer) }
        timer = nil
        connector?.cancel()
        connector = nil
        if closing { channel?.close() }
        channel = nil
        grant = nil
        flow.disconnected()
    }

    // MARK: - The other side

    private func handle(_ event: MessageChannel.Event) {
        guard end == nil, channel != nil else { return }
        switch event {
        case .opened: break
        case .message(let message, let stream): handle(message, stream: stream)
        case .frame(let metadata, Self.stream, let payload): received(metadata, payload: payload)
        case .frame: break
        case .closed(let reason): failed(RemoteCameraError(reason, endpoint: endpoint))
        }
    }

    private func handle(_ message: Message, stream: StreamID) {
        switch message {
        case .welcome(let welcome): greeted(welcome)
        case .subscribed(let grant) where stream == Self.stream: granted(grant)
        case .status(let status) where stream == Self.stream: changed(status)
        case .ping(let ping):
            let now = HostTime.now().nanoseconds
            channel?.send(.pong(Pong(originate: ping.originate, receive: now, transmit: now)))
        case .pong(let pong):
            clock.received(pong, at: .now())
            statistics.roundTrip = clock.smallestRoundTrip
            if let roundTrip = clock.smallestRoundTrip { flow.measured(roundTrip: roundTrip) }
            perform()
        // By `streamState` nothing changes: messages crossed on the way.
        case .error(let failure)
        where failure.closesConnection || stream == Self.stream && failure.code != .streamState:
            let subject = failure.code == .unknownCamera && !camera.isEmpty ? camera : "\(endpoint)"
            failed(RemoteCameraError(failure.code, text: failure.text, subject: subject))
        case .bye(let bye): failed(RemoteCameraError(bye.code, text: bye.text, subject: "\(endpoint)"))
        // Of other streams, or of no meaning to this client.
        default: break
        }
    }

    private func greeted(_ welcome: Welcome) {
        guard !isGreeted else { return }
        isGreeted = true
        cameras = welcome.cameras
        policy.greeted()
        liveness.greeted()
        channel?.limitFrames(toByteCount: Int(welcome.maximumFrameByteCount))
        statistics.connectionCount += 1
        guard purpose == .streaming else { return close() }
        states.publish(.subscribing)
        ping()
        let credit = flow.subscribing(at: .now())
        channel?.send(
            .subscribe(
                Subscribe(camera: camera, request: streamRequest, credit: credit, resume: flow.resumePoint)),
            stream: Self.stream)
        perform()
    }

    private func granted(_ grant: Subscribed) {
        self.grant = grant
        policy.subscribed()
        flow.granted(grant.frameRate)
        states.publish(.streaming(grant))
        perform()
    }

    private func changed(_ status: CameraStatus) {
        switch status.state {
        case .ended:
            let text = status.text.isEmpty ? "the source ended" : status.text
            finish(
                RemoteCameraError(
                    .ended, subject: status.camera.isEmpty ? "\(endpoint)" : status.camera, reason: text,
                    endReason: status.reason, drops: flow.rest(adding: status.drops)))
        case .running: if let grant { states.publish(.streaming(grant)) }
        case .idle, .starting, .interrupted: states.publish(.interrupted(status))
        }
    }

    // MARK: - Life

    private func ping() {
        channel?.send(.ping(clock.makePing(at: .now())))
    }

    /// Looks whether the other side is alive, and again later.
    private func look() {
        guard let channel, end == nil else { return }
        let verdict = liveness.look(
            at: .now(), lastReceived: channel.lastReceived,
            isKernelSilent: channel.isPeerSilent(forMilliseconds: Liveness.silenceMilliseconds))
        let subject = "\(endpoint)"
        switch verdict {
        case .alive(let nextLook):
            if isGreeted { ping() }
            timer = schedule(at: nextLook) { $0.look() }
        case .dead:
            failed(RemoteCameraError(.disconnected, subject: subject, reason: "the server's machine does not answer"))
        case .stalled:
            failed(RemoteCameraError(.disconnected, subject: subject, reason: "the server sent nothing for 60 s"))
        case .silentHandshake:
            failed(RemoteCameraError(.unreachable, subject: subject, reason: "the server does not greet"))
        }
    }
}
