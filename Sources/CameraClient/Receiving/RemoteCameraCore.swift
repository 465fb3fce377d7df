import CameraMedia
import CameraProtocol
import CameraTransport
import Foundation
import Synchronization

/// A remote camera's connection and frames, on the event loop's thread.
///
/// The state machines decide (``ConnectionPolicy``, ``Liveness``, ``FrameFlow``); this performs.
actor RemoteCameraCore {
    /// Somebody who waits, and for how long.
    struct Waiter<Value: Sendable> {
        let reply: PendingReply<Value>
        let limit: TimerQueue.ID?
        /// Whether it takes the frame that is here and waits for none to come.
        let isPoll: Bool
    }

    /// Somebody who waits for what the server makes of a changed request.
    struct UpdateWaiter {
        let waiter: Waiter<Subscribed>
        /// The answers to earlier requests that come before.
        var grantsAhead: Int
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
    /// Called on the loop's thread with each new state, and whether all frames received were handed out.
    let observer: (@Sendable (RemoteCameraState, _ isDrained: Bool) -> Void)?
    /// What the consumer wants of the stream; sent in the order of its changes.
    nonisolated let wanted: Mutex<StreamRequest>
    /// The counts, for any thread to read.
    nonisolated let counted = Mutex(RemoteCameraStatistics())
    /// See ``RemoteCamera/maximumAge``.
    nonisolated let maximumAge: Mutex<Duration?>
    /// Frames that the consumer took as received and that turned out not to decode.
    nonisolated let undecoded = Mutex(DropBook())

    // The connection.
    var policy: ConnectionPolicy
    var clock = ClockEstimator()
    var liveness = Liveness(at: .now())
    var connector: Connector?
    var channel: MessageChannel?
    var timer: TimerQueue.ID?
    var isGreeted = false
    var cameras: [CameraDescription]?
    var end: RemoteCameraError?

    // The stream.
    var streamRequest: StreamRequest
    /// The last request that the server granted.
    var grantedRequest: StreamRequest?
    var grant: Subscribed?
    var interruption: CameraStatus?
    /// The requests sent on this connection that the server has not answered, the oldest first.
    var unanswered: [StreamRequest] = []
    var lastCaptureTime: (epoch: UInt64, time: HostTime)?

    // The consumer.
    var flow: FrameFlow
    /// In the order of the flow's asks.
    var waiters: [Waiter<SampleBuffer?>] = []
    var outcomeWaiters: [Waiter<Void>] = []
    var updateWaiters: [UpdateWaiter] = []

    init(
        loop: EventLoop, endpoint: Endpoint, camera: String, request: StreamRequest, options: RemoteCameraOptions,
        purpose: Purpose = .streaming, startsOnDemand: Bool = false,
        observer: (@Sendable (RemoteCameraState, _ isDrained: Bool) -> Void)? = nil
    ) {
        var isOrdered = false
        if case .ordered = request.delivery { isOrdered = true }
        self.loop = loop
        self.endpoint = endpoint
        self.camera = camera
        self.options = options
        self.purpose = purpose
        self.observer = observer
        wanted = Mutex(request)
        maximumAge = Mutex(options.maximumAge)
        streamRequest = request
        flow = FrameFlow(
            FrameFlow.Configuration(
                isOrdered: isOrdered, pacing: options.pacing, startsOnDemand: startsOnDemand,
                maximumAge: options.maximumAge?.wholeNanoseconds,
                isDecoding: options.content != .encoded,
                decoderCount: max(1, min(ProcessInfo.processInfo.activeProcessorCount, 4))))
        policy = ConnectionPolicy(reconnects: options.reconnects)
        // What is under way and what waits comes on top of what the consumer holds.
        let limit = options.bufferCount + 2 * Int(Limits.credit)
        payloads = MemoryPool(limit: limit)
        decoder = FrameDecoder(content: options.content, pool: MemoryPool(limit: limit))
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

    /// Tells everybody what the camera is doing now.
    func publish(_ state: RemoteCameraState) {
        guard states.publish(state) else { return }
        observer?(state, flow.isEmpty)
        guard state != .connecting else { return }
        let waiters = outcomeWaiters
        outcomeWaiters = []
        for waiter in waiters { answer(waiter, with: end.map { .failure($0) } ?? .success(())) }
    }

    /// Changes the counts.
    func count(_ change: (inout RemoteCameraStatistics) -> Void) {
        counted.withLock { change(&$0) }
    }

    // MARK: - What the flow wants

    /// Changes the maximum age of frames handed out.
    func setMaximumAge(_ limit: Duration?) {
        flow.setMaximumAge(limit?.wholeNanoseconds)
        perform()
    }

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
        count { $0.isOnDemand = flow.isOnDemand }
        if flow.isEmpty { answerThoseInVain() }
    }

    private func handOut(_ sample: SampleBuffer) {
        guard !waiters.isEmpty else { return }
        count { counts in
            counts.deliveredCount += 1
            counts.drops.add(sample.drops)
        }
        answer(waiters.removeFirst(), with: .success(sample))
    }

    /// Ends it all from this side.
    func close() {
        finish(RemoteCameraError(.closed, subject: "\(endpoint)", reason: "closed on this side"))
        // What was received goes with it.
        flow.discardAll()
        answerThoseInVain()
    }
}
