import CameraCapture
import CameraMedia
import CameraProtocol
import CameraTransport
import Foundation

/// All of a server's state, on the event loop's thread.
///
/// Here: cameras, and doing what their deliveries decide. Clients, encoding, listening and the end have files of their
/// own.
actor ServerCore {
    struct Camera {
        let localizedName: String
        let output: StreamOutput
        var delivery: CameraDelivery
        var hasReportedEnd = false
    }

    nonisolated let loop: EventLoop
    nonisolated let configuration: CameraServer.Configuration
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    var cameraEnded: (@Sendable (String, CaptureState) -> Void)?
    var statistics = ServerStatistics()
    let encoders: EncoderPool
    var schedule: EncoderSchedule
    var cameras: [Camera] = []
    var clients: [ClientID: Client] = [:]
    /// Clients that are told why they cannot stay; kept until that is written.
    var refused: [ClientID: Client] = [:]
    var subscribers: [SubscriptionID: (client: ClientID, stream: StreamID)] = [:]
    var listeners: [Listener] = []
    var nextClient: UInt64 = 0
    var nextSubscription: UInt64 = 0
    var stopCompletions: [@Sendable () -> Void] = []
    var isStopped = false
    /// Cameras whose clients asked for something in this turn of the loop; what that comes to is done at its end.
    private var unsettled: Set<Int> = []
    private var deadlineTimer: (time: HostTime, id: TimerQueue.ID)?
    private var failures = RepeatedLines()

    struct Listener {
        let socket: Socket
        let registration: EventLoop.Registration
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
        guard name.isCameraName else { throw .invalidName(name) }
        guard !cameras.contains(where: { $0.delivery.name == name }) else { throw .nameTaken(name) }
        guard cameras.count < Limits.cameraCount else { throw .tooManyCameras }
        let output = StreamOutput(name: name, camera: cameras.count, core: self)
        let ceilings = StreamCeilings(
            size: configuration.preset.maximumSize, frameRate: configuration.frameRate,
            quality: configuration.quality ?? configuration.preset.quality)
        cameras.append(
            Camera(
                localizedName: localizedName, output: output,
                delivery: CameraDelivery(name: name, ceilings: ceilings, encoderCount: encoders.threadCount)))
        return output
    }

    /// Something came from a camera's session.
    func received(_ event: CaptureEvent, from camera: Int) {
        guard cameras.indices.contains(camera) else { return }
        let now = HostTime.now()
        var accounted = 0
        switch event {
        case .format(let format):
            if format != cameras[camera].delivery.format {
                logOnce("\(cameras[camera].delivery.name): \(format.summary)", as: .info)
            }
            cameras[camera].delivery.formatChanged(to: format, at: now)
        case .sample(let sample):
            accounted = 1
            // Whoever still holds an older frame of the source does not keep up: the source gets its memory back.
            for client in clients.values where client.channel.waitingFrameCount > 0 {
                client.channel.copyBorrowedPayloads()
            }
            cameras[camera].delivery.arrived(sample, at: now)
        case .state(let state):
            logState(state, of: camera)
            cameras[camera].hasReportedEnd = false
            cameras[camera].delivery.stateChanged(to: state, at: now)
        }
        settle(camera, accounted: accounted)
    }

    private func logState(_ state: CaptureState, of camera: Int) {
        let text = state.text.isEmpty ? state.reason == .none ? "" : ": \(state.reason.name)" : ": \(state.text)"
        let line = "\(cameras[camera].delivery.name): \(state.state.name)\(text)"
        switch state.state {
        case .idle, .starting: log(.debug, line)
        case .running: logOnce(line, as: .info)
        case .ended: logOnce(line, as: state.reason == .endOfFile ? .info : .error)
        case .interrupted: logOnce("\(line); waiting for it to come back", as: .error)
        }
    }

    // MARK: - Doing what is decided

    /// Has a camera's decisions carried out at the end of this turn of the loop, once for all that comes before.
    func settleSoon(_ camera: Int) {
        guard unsettled.insert(camera).inserted, unsettled.count == 1 else { return }
        loop.execute { [weak self] in
            self?.assumeIsolated { core in
                let cameras = core.unsettled
                core.unsettled = []
                for camera in cameras.sorted() { core.settle(camera) }
            }
        }
    }

    /// Does what a camera's delivery decided, and gives the encoders work.
    func settle(_ camera: Int, accounted: Int = 0) {
        guard cameras.indices.contains(camera) else { return }
        while true {
            let actions = cameras[camera].delivery.takeActions()
            guard !actions.isEmpty else { break }
            for action in actions { perform(action, of: camera) }
            // Connections that took all at once have room for more.
            for (id, client) in clients {
                cameras[camera].delivery.connectionChanged(
                    id, waiting: client.channel.waitingFrameCount, at: .now())
            }
        }
        encodeNext()
        let delivery = cameras[camera].delivery
        cameras[camera].output.report(delivery.demand, room: delivery.room, accounted: accounted)
        setDeadline()
        reportEnd(of: camera)
    }

    private func perform(_ action: CameraDelivery.Action, of camera: Int) {
        switch action {
        case .frame(let id, let metadata, let frame): send(frame, metadata, to: id)
        case .granted(let id, let grant):
            guard let (client, stream) = receiver(id) else { return }
            log(.debug, "\(client.description): \(grant.camera) as \(grant.codec.name) \(grant.size)")
            client.channel.send(.subscribed(grant), stream: stream)
        case .status(let id, let status):
            guard let (client, stream) = receiver(id) else { return }
            client.channel.send(.status(status), stream: stream)
        case .refused(let id, let refusal):
            guard let (client, stream) = receiver(id) else { return }
            forgetStream(stream, of: client)
            client.fail(stream, refusal.code, refusal.text)
        case .codecChanged(let size, let change):
            let name = cameras[camera].delivery.name
            log(.info, "\(name): \(change.codec.name) for \(size) from now on; \(change.reason)")
        }
    }

    private func send(_ frame: EncodedFrame, _ metadata: FrameMetadata, to id: SubscriptionID) {
        guard let (client, stream) = receiver(id) else { return }
        let byteCount = frame.payload.count + Limits.frameMetadataByteCount
        guard byteCount <= client.maximumFrameByteCount else {
            unsubscribe(stream, of: client)
            client.session.ended(stream)
            client.fail(
                stream, .limitExceeded,
                "a frame of \(frame.payload.count) bytes exceeds the \(client.maximumFrameByteCount) that are agreed")
            return
        }
        statistics.sentFrameCount += 1
        client.channel.send(metadata, payload: frame.payload, isBorrowed: frame.isUntouched, stream: stream)
    }

    private func receiver(_ id: SubscriptionID) -> (Client, StreamID)? {
        guard let (client, stream) = subscribers[id], let client = clients[client] else { return nil }
        return (client, stream)
    }

    private func reportEnd(of camera: Int) {
        let delivery = cameras[camera].delivery
        // A file that plays to its end is over once somebody saw it; one that is broken is over at once.
        let isOver = delivery.arrivals > 0 || delivery.state.reason != .endOfFile
        guard delivery.isDrained, !cameras[camera].hasReportedEnd, isOver else { return }
        cameras[camera].hasReportedEnd = true
        cameraEnded?(delivery.name, delivery.state)
    }

    // MARK: - Deadlines

    private func setDeadline() {
        let deadline = cameras.compactMap(\.delivery.deadline).min()
        guard deadline != deadlineTimer?.time else { return }
        if let id = deadlineTimer?.id { loop.cancel(id) }
        deadlineTimer = deadline.map { time in
            let id = loop.schedule(at: time) { [weak self] in self?.assumeIsolated { $0.deadlineCame() } }
            return (time, id)
        }
    }

    private func deadlineCame() {
        deadlineTimer = nil
        let now = HostTime.now()
        for camera in cameras.indices {
            cameras[camera].delivery.timePassed(to: now)
            settle(camera)
        }
    }

    // MARK: - The log

    func log(_ level: LogLevel, _ line: String) {
        configuration.log(level, line)
    }

    /// Logs what may happen again and again once, then counts it.
    ///
    /// - Parameter kind: What makes two faults the same; the line itself unless said otherwise.
    func logOnce(_ line: String, as level: LogLevel = .error, kind: String? = nil) {
        if failures.occurred(kind ?? line, at: .now()) { configuration.log(level, line) }
    }

    func logRepetitions(at now: HostTime) {
        for line in failures.summaries(at: now) { configuration.log(.info, line) }
    }
}
