import CameraMedia
import CameraProtocol
import CameraTransport
import Foundation

/// A remote camera's connection and frames, on the event loop's thread.
///
/// The state machines decide (``ConnectionPolicy``, ``Liveness``, ``FrameFlow``); this performs.
actor RemoteCameraCore {
    /// A request for a frame, and its time limit.
    struct Waiter {
        let request: FrameRequest
        let limit: TimerQueue.ID?
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// What the connection is for.
    enum Purpose: Sendable {
        /// To receive frames.
        case streaming
        /// To learn what cameras the server has.
        case listing
    }

    /// The number of the one stream on the connection.
    static let stream: StreamID = 1

    let endpoint: Endpoint
    let camera: String
    let options: RemoteCameraOptions
    let purpose: Purpose
    let decoder: FrameDecoder
    let payloads: MemoryPool
    let states = StateBroadcast()

    var streamRequest: StreamRequest
    var flow: FrameFlow
    var policy: ConnectionPolicy
    var clock = ClockEstimator()
    var liveness = Liveness(at: .now())
    var connector: Connector?
    var channel: MessageChannel?
    var timer: TimerQueue.ID?
    var waiters: [Waiter] = []
    var statistics = RemoteCameraStatistics()
    var cameras: [CameraDescription]?
    var grant: Subscribed?
    var lastCaptureTime: (epoch: UInt64, time: HostTime)?
    var end: RemoteCameraError?
    var isGreeted = false

    init(
        loop: EventLoop, endpoint: Endpoint, camera: String, request: StreamRequest, options: RemoteCameraOptions,
        purpose: Purpose = .streaming
    ) {
        let decoderCount = max(1, min(ProcessInfo.processInfo.activeProcessorCount, 4))
        var isOrdered = false
        if case .ordered = request.delivery { isOrdered = true }
        self.loop = loop
        self.endpoint = endpoint
        self.camera = camera
        self.options = options
        self.purpose = purpose
        streamRequest = request
        flow = FrameFlow(
            FrameFlow.Configuration(
                isOrdered: isOrdered, pacing: options.pacing, maximumAge: options.maximumAge?.wholeNanoseconds,
                isDecoding: options.content != .encoded, decoderCount: decoderCount))
        policy = ConnectionPolicy(reconnects: options.reconnects)
        // What is under way and what waits comes on top of what the consumer holds.
        let surplus = 2 * Int(Limits.credit)
        payloads = MemoryPool(limit: options.bufferCount + surplus)
        decoder = FrameDecoder(
            content: options.content, count: isOrdered ? decoderCount : 1,
            pool: MemoryPool(limit: options.bufferCount + surplus))
    }

    isolated deinit {
        // The channel and the connector belong to the loop's thread, down to their end.
        connector?.cancel()
        channel?.close()
    }

    /// Runs `body` on the loop's thread, after what was posted before.
    nonisolated func post(_ body: @escaping @Sendable (isolated RemoteCameraCore) -> Void) {
        loop.execute { self.assumeIsolated { body($0) } }
    }

    /// Runs `body` on the loop's thread at a time, unless the core is gone by then.
    func schedule(at time: HostTime, _ body: @escaping @Sendable (isolated RemoteCameraCore) -> Void) -> TimerQueue.ID {
        loop.schedule(at: time) { [weak self] in self?.assumeIsolated { body($0) } }
    }

    // MARK: - The consumer

    /// Waits for a frame.
    nonisolated func next(timeout: Duration?) async throws -> SampleBuffer {
        let request = FrameRequest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                request.wait(continuation)
                post { $0.ask(request, timeout: timeout) }
            }
        } onCancel: {
            request.cancel()
            post { $0.withdraw(request, error: CancellationError()) }
        }
    }

    /// Asks for a frame, within a time.
    func ask(_ request: FrameRequest, timeout: Duration?) {
        if request.isCancelled { return request.resume(with: .failure(CancellationError())) }
        if let end, flow.isEmpty { return request.resume(with: .failure(end)) }
        let now = HostTime.now()
        let limit = timeout.map { timeout in
            schedule(at: now.advanced(by: timeout.wholeNanoseconds)) { core in
                core.withdraw(request, error: core.timeOutError())
            }
        }
        waiters.append(Waiter(request: request, limit: limit))
        flow.asked(at: now)
        perform()
    }

    /// Takes a request back.
    func withdraw(_ request: FrameRequest, error: any Error) {
        guard let index = waiters.firstIndex(where: { $0.request === request }) else { return }
        let waiter = waiters.remove(at: index)
        if let limit = waiter.limit { loop.cancel(limit) }
        flow.askWithdrawn(at: .now())
        request.resume(with: .failure(error))
        perform()
    }

    /// What was counted so far.
    var currentStatistics: RemoteCameraStatistics {
        var current = statistics
        current.isOnDemand = flow.isOnDemand
        return current
    }

    /// Changes what is asked of the server, now and after every reconnection.
    func update(_ request: StreamRequest) {
        let delivery = streamRequest.delivery
        streamRequest = request
        streamRequest.delivery = delivery
        if grant != nil { channel?.send(.update(streamRequest), stream: Self.stream) }
    }

    /// Ends it all from this side.
    func close() {
        finish(RemoteCameraError(.closed, subject: "\(endpoint)", reason: "closed on this side"))
        failWaiters()
        // What was received goes with it.
        flow = FrameFlow(FrameFlow.Configuration(isOrdered: false))
    }

    private func timeOutError() -> RemoteCameraError {
        if case .reconnecting(_, let cause) = states.current {
            return RemoteCameraError(.timedOut, subject: cause.subject, reason: cause.reason)
        }
        return RemoteCameraError(.timedOut, subject: "\(endpoint)", reason: "no frame in the time given")
    }

    // MARK: - What the flow wants

    /// Does what the flow wants, until it wants nothing.
    func perform() {
        while let action = flow.nextAction(at: .now()) {
            switch action {
            case .giveCredit(let count): channel?.send(.credit(count), stream: Self.stream)
            case .acknowledge(let position): channel?.send(.acknowledge(position), stream: Self.stream)
            case .handOut(let sample): handOut(sample)
            case .decode(let number, let image):
                decoder.decode(image) { [weak self] result in
                    self?.post { $0.decoded(number, result: result) }
                }
            }
        }
        if end != nil, flow.isEmpty { failWaiters() }
    }

    private func handOut(_ sample: SampleBuffer) {
        guard !waiters.isEmpty else { return }
        let waiter = waiters.removeFirst()
        if let limit = waiter.limit { loop.cancel(limit) }
        statistics.deliveredCount += 1
        statistics.drops.add(sample.drops)
        waiter.request.resume(with: .success(sample))
    }

    func failWaiters() {
        guard let end else { return }
        for waiter in waiters {
            if let limit = waiter.limit { loop.cancel(limit) }
            flow.askWithdrawn(at: .now())
            waiter.request.resume(with: .failure(end))
        }
        waiters = []
    }
}
