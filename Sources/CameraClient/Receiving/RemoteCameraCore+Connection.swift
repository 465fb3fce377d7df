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
        if case .reconnecting = states.current {} else { publish(.connecting) }
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
                clock = ClockEstimator()
                count { ($0.roundTrip, $0.clockOffset, $0.clockUncertainty) = (nil, nil, nil) }
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
            publish(.reconnecting(after: .nanoseconds(Int64(delay)), because: error))
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
        publish(.ended(error))
        states.finish()
        failUpdates(error)
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
        unanswered = []
        interruption = nil
        isGreeted = false
        flow.disconnected()
    }

    // MARK: - The other side

    private func handle(_ event: MessageChannel.Event) {
        guard end == nil, channel != nil else { return }
        switch event {
        case .opened, .drained, .violated: break
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
            clockChanged()
        case .error(let failure) where failure.closesConnection:
            failed(RemoteCameraError(failure.code, text: failure.text, subject: "\(endpoint)"))
        // By `streamState` nothing changes: messages crossed on the way.
        case .error(let failure) where stream == Self.stream && failure.code != .streamState: refused(failure)
        case .bye(let bye): failed(RemoteCameraError(bye.code, text: bye.text, subject: "\(endpoint)"))
        // Of other streams, or of no meaning to this client.
        default: break
        }
    }

    private func greeted(_ welcome: Welcome) {
        guard !isGreeted else { return }
        isGreeted = true
        cameras = welcome.cameras.map { camera in
            var camera = camera
            (camera.name, camera.localizedName) = (camera.name.printable, camera.localizedName.printable)
            return camera
        }
        policy.greeted()
        liveness.greeted()
        channel?.limitFrames(toByteCount: Int(welcome.maximumFrameByteCount))
        count { $0.connectionCount += 1 }
        guard purpose == .streaming else { return close() }
        ping()
        subscribe()
    }

    private func changed(_ status: CameraStatus) {
        var status = status
        (status.camera, status.text) = (status.camera.printable, status.text.printable)
        switch status.state {
        case .ended:
            finish(
                RemoteCameraError(
                    .ended, subject: status.camera.isEmpty ? "\(endpoint)" : status.camera,
                    reason: status.text.isEmpty ? "the source ended" : status.text,
                    endReason: status.reason, drops: flow.rest(adding: status.drops)))
        case .running:
            interruption = nil
            if let grant { publish(.streaming(grant)) }
        case .idle, .starting, .interrupted:
            interruption = status
            publish(.interrupted(status))
        }
    }

    // MARK: - Life

    private func ping() {
        channel?.send(.ping(clock.makePing(at: .now())))
    }

    private func clockChanged() {
        let offset = clock.offset(at: .now())
        count { counts in
            counts.roundTrip = clock.smallestRoundTrip.map { .nanoseconds(Int64(clamping: $0)) }
            counts.clockOffset = offset.map { .nanoseconds($0.nanoseconds) }
            counts.clockUncertainty = offset.map { .nanoseconds(Int64(clamping: $0.uncertainty)) }
        }
        if let roundTrip = clock.smallestRoundTrip { flow.measured(roundTrip: roundTrip) }
        perform()
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
