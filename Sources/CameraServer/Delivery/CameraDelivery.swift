import CameraCapture
import CameraMedia
import CameraProtocol

/// Decides, for one camera, who gets which frame, and what has to be encoded for that.
///
/// A value without I/O: events come in with the time, what has to be done is taken out with ``takeActions()`` and
/// ``takeJob(from:)``.
struct CameraDelivery: Sendable {
    /// What the owner has to do.
    enum Action: Sendable {
        /// Send a frame.
        case frame(SubscriptionID, FrameMetadata, EncodedFrame)
        /// Tell a client what its stream carries from here on.
        case granted(SubscriptionID, Subscribed)
        /// Tell a client what the camera does, after the frames so far.
        case status(SubscriptionID, CameraStatus)
        /// The stream cannot go on; it is gone here already.
        case refused(SubscriptionID, StreamGrant.Refusal)
        /// Another codec is chosen from now on.
        case codecChanged(PixelSize, AutomaticCodec.Change)

        /// The stream that it is for.
        var subscription: SubscriptionID? {
            switch self {
            case .frame(let id, _, _), .granted(let id, _), .status(let id, _), .refused(let id, _): id
            case .codecChanged: nil
            }
        }
    }

    private struct AutomaticKey: Hashable {
        let crop: PixelRectangle?
        let size: PixelSize
    }

    let name: String
    let ceilings: StreamCeilings
    /// The frames that may be on their way to a client at a time, beyond what its connection has taken.
    let outboxCapacity: Int
    var outboxes: [ClientID: ClientOutbox] = [:]
    /// Clients of which a frame under way came to nothing, or was sent: others of their streams may have its place.
    var relieved: Set<ClientID> = []
    private(set) var format: CaptureFormat?
    private(set) var state = CaptureState(.idle)
    private(set) var arrivals: UInt64 = 0

    var newest: CapturedFrame?
    var subscriptions: [SubscriptionID: Subscription] = [:]
    var renditions: [RenditionKey: Rendition] = [:]
    var actions: [Action] = []
    /// Which rendition a job is for; a rendition may be left before its job is done.
    var jobs: [UInt64: RenditionKey] = [:]
    private var automatic: [AutomaticKey: AutomaticCodec] = [:]
    private var nextOrdinal: UInt64 = 0
    private var nextJob: UInt64 = 0
    private var nextTurn: UInt64 = 0

    /// - Parameter encoderCount: A client may have so many frames encoded at once, and two wait for its connection.
    init(name: String, ceilings: StreamCeilings, encoderCount: Int) {
        self.name = name
        self.ceilings = ceilings
        outboxCapacity = encoderCount + 2
    }

    /// The streams in the order in which they came.
    var order: [SubscriptionID] { subscriptions.keys.sorted() }

    /// What has to be done since the last call, in order.
    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    // MARK: - The camera

    /// The camera was opened, or its format changed.
    mutating func formatChanged(to format: CaptureFormat, at now: HostTime) {
        guard format != self.format else { return }
        self.format = format
        forgetNewest()
        for id in order { regrant(id, at: now) }
    }

    /// A frame came.
    mutating func arrived(_ sample: SampleBuffer, at now: HostTime) {
        let frame = CapturedFrame(ordinal: nextOrdinal, sample: sample)
        nextOrdinal += 1
        // Nobody waits for it, and whoever comes next wants one that is new then.
        guard !subscriptions.isEmpty else { return }
        judgeAutomaticCodecs(at: now)
        replaceNewest(with: frame)
        let ids = order
        // All are told before any is served, so that a rendition knows all its receivers when it is encoded.
        for id in ids { announce(frame, to: id) }
        for id in ids { serve(id, at: now) }
    }

    /// The camera does something else now.
    mutating func stateChanged(to state: CaptureState, at now: HostTime) {
        self.state = state
        // Only a file's last frame still waits for its readers; what a camera gave before a change is not new.
        if state.state != .ended { forgetNewest() }
        for id in order { announce(state, to: id) }
    }

    /// Whether all that a source that ended delivered has been sent, its last status included.
    var isDrained: Bool {
        state.state == .ended
            && subscriptions.values.allSatisfy { subscription in
                switch subscription.mode {
                case .latest(let latest): latest.statuses.isEmpty
                case .ordered(let ordered): ordered.entries.isEmpty
                }
            }
    }

    // MARK: - Streams

    /// A client opens a stream.
    mutating func subscribed(
        _ id: SubscriptionID, of client: ClientID, _ request: StreamRequest, accepted: [ImageCodec], credit: Int,
        at now: HostTime
    ) {
        arrivals += 1
        var request = request
        if case .ordered(let depth) = request.delivery {
            request.delivery = .ordered(depth: min(depth, Subscription.Ordered.maximumDepth))
        }
        let mode: Subscription.Mode =
            switch request.delivery {
            case .latest, .shared: .latest(Subscription.Latest(gate: RateGate(nil)))
            case .ordered(let depth):
                .ordered(Subscription.Ordered(depth: Int(depth), gate: RateGate(nil)))
            }
        subscriptions[id] = Subscription(
            client: client, request: request, accepted: accepted, credit: min(credit, Int(Limits.credit)), mode: mode)
        outboxes[client, default: ClientOutbox()].streamCount += 1
        if format == nil {
            actions.append(.granted(id, unknownGrant(request)))
        } else {
            regrant(id, at: now)
        }
        guard subscriptions[id] != nil else { return }
        // A file that has ended plays again for who comes now; what will never play again says so.
        if state.state != .running, state.state != .ended || state.isFinal {
            actions.append(
                .status(id, CameraStatus(camera: name, state: state.state, reason: state.reason, text: state.text)))
        }
        offerNewest(to: id, at: now)
    }

    /// A client changes a stream; the delivery mode stays.
    mutating func updated(_ id: SubscriptionID, _ request: StreamRequest, at now: HostTime) {
        guard var subscription = subscriptions[id] else { return }
        let delivery = subscription.request.delivery
        subscription.request = request
        subscription.request.delivery = delivery
        subscriptions[id] = subscription
        if format == nil {
            actions.append(.granted(id, unknownGrant(subscription.request)))
        } else {
            regrant(id, at: now, always: true)
            serve(id, at: now)
        }
    }

    /// A client closes a stream, or is gone.
    ///
    /// - Returns: What was dropped since its last frame.
    @discardableResult
    mutating func unsubscribed(_ id: SubscriptionID) -> DropCounts {
        emptyQueue(of: id)
        leaveRendition(id)
        guard let subscription = subscriptions.removeValue(forKey: id) else { return DropCounts() }
        outboxes[subscription.client]?.streamCount -= 1
        if outboxes[subscription.client]?.streamCount == 0 { outboxes[subscription.client] = nil }
        forgetUnusedAutomaticCodecs()
        if subscriptions.isEmpty { newest = nil }
        switch subscription.mode {
        case .latest(var latest): return latest.ledger.takeDropped()
        case .ordered(let ordered): return ordered.unreported
        }
    }

    /// A client is ready for more frames.
    mutating func credited(_ id: SubscriptionID, _ count: Int, at now: HostTime) {
        guard let credit = subscriptions[id]?.credit else { return }
        subscriptions[id]?.credit = min(credit + count, Int(Limits.credit))
        serve(id, at: now)
    }

    /// A client's connection has taken what was sent, or has not.
    ///
    /// - Parameter waiting: The frames that wait for it to take them.
    mutating func connectionChanged(_ client: ClientID, waiting: Int, at now: HostTime) {
        guard let outbox = outboxes[client], outbox.waiting != waiting else { return }
        let hadRoom = outbox.hasRoom(capacity: outboxCapacity)
        outboxes[client]?.waiting = waiting
        guard !hadRoom, hasRoom(client) else { return }
        for id in order where subscriptions[id]?.client == client { serve(id, at: now) }
    }

    /// Gives places that became free to whichever stream of the client waits for one.
    mutating func serveRelieved(at now: HostTime) {
        while let client = relieved.popFirst() {
            guard hasRoom(client) else { continue }
            for id in order where subscriptions[id]?.client == client { serve(id, at: now) }
        }
    }

    /// Whether another frame may set out for a client.
    func hasRoom(_ client: ClientID) -> Bool {
        outboxes[client]?.hasRoom(capacity: outboxCapacity) ?? false
    }

    // MARK: - Time

    /// When ``timePassed(to:)`` has to be called: a rate cap lets a waiting frame go then.
    var deadline: HostTime? {
        subscriptions.values.compactMap { subscription -> HostTime? in
            guard case .latest(let latest) = subscription.mode, latest.undecided != nil, subscription.credit > 0,
                hasRoom(subscription.client)
            else { return nil }
            return latest.gate.opening(after: 0).map(HostTime.init(nanoseconds:))
        }.min()
    }

    /// A deadline came.
    mutating func timePassed(to now: HostTime) {
        for id in order { serve(id, at: now) }
    }

    // MARK: - Encoding

    /// Takes the next frame to encode for the rendition with a turn.
    mutating func takeJob(from turn: UInt64) -> EncodeJob? {
        guard let key = renditions.values.first(where: { $0.turn == turn })?.key,
            let frame = takeWaitingFrame(of: key)
        else { return nil }
        let id = nextJob
        nextJob += 1
        jobs[id] = key
        assign(frame, of: key, to: id)
        return EncodeJob(id: id, key: key, frame: frame)
    }

    /// The renditions that have something to encode.
    var readyTurns: [(turn: UInt64, isOrdered: Bool)] {
        renditions.values.filter { hasWaitingFrame($0) }.map { ($0.turn, $0.key.isOrdered) }
    }

    /// An encoder is done; without a frame, it failed.
    mutating func finished(_ job: EncodeJob, _ encoded: EncodedFrame?, at now: HostTime) {
        guard let key = jobs.removeValue(forKey: job.id), renditions[key] != nil else { return }
        if key.isOrdered {
            finishedOrdered(job, key, encoded)
        } else {
            finishedLatest(job, key, encoded, at: now)
        }
    }

    // MARK: - Demand

    /// What the streams want of the camera.
    var demand: CaptureDemand {
        var demand = CaptureDemand(arrivals: arrivals)
        for subscription in subscriptions.values {
            switch subscription.mode {
            case .latest(let latest):
                demand.latestCount += 1
                let isIdle = subscription.grant.map { renditions[$0.key]?.waiting == nil } ?? true
                // A frame that waits, for a rate cap for instance, has to go first.
                let isReady = latest.undecided == nil && subscription.credit > 0 && hasRoom(subscription.client)
                demand.isLatestReady = demand.isLatestReady || (isReady && isIdle)
            case .ordered:
                demand.orderedCount += 1
            }
        }
        demand.isOrderedReady = room > 0
        return demand
    }

    /// How many more frames every ordered stream has room for.
    var room: Int {
        subscriptions.values.compactMap { subscription in
            guard case .ordered(let ordered) = subscription.mode else { return nil }
            return ordered.depth - ordered.frameCount
        }.min() ?? Int(DeliveryMode.defaultDepth)
    }

    // MARK: - Grants and renditions

    private func unknownGrant(_ request: StreamRequest) -> Subscribed {
        let codec: ImageCodec =
            switch request.codecs {
            case .automatic: .webp
            case .inOrder(let list): list.first ?? .webp
            }
        return Subscribed(
            camera: name, sourceSize: PixelSize(width: 0, height: 0), sourceFrameRate: nil,
            size: PixelSize(width: 0, height: 0), crop: nil, frameRate: nil, codec: codec,
            quality: request.quality ?? request.preset?.quality ?? ceilings.quality, pixelFormat: request.pixelFormat,
            delivery: request.delivery)
    }

    /// Works a stream's grant out anew, tells the client if it changed, and moves it to its rendition.
    private mutating func regrant(_ id: SubscriptionID, at now: HostTime, always: Bool = false) {
        guard let format, let subscription = subscriptions[id] else { return }
        let grant: StreamGrant
        do throws(StreamGrant.Refusal) {
            grant = try StreamGrant(
                subscription.request, format: format, ceilings: ceilings, accepted: subscription.accepted
            ) { crop, size in automatic[AutomaticKey(crop: crop, size: size)]?.codec ?? .webp }
        } catch {
            unsubscribed(id)
            actions.append(.refused(id, error))
            return
        }
        let message = grant.message(camera: name, format: format, delivery: subscription.request.delivery)
        if subscription.grant?.key != grant.key {
            leaveRendition(id)
            let turn = nextTurn
            nextTurn += 1
            renditions[grant.key, default: Rendition(key: grant.key, turn: turn)].users += 1
            if grant.isAutomatic {
                let key = AutomaticKey(crop: grant.key.crop, size: grant.key.size)
                if automatic[key] == nil { automatic[key] = AutomaticCodec() }
            }
        }
        subscriptions[id]?.grant = grant
        forgetUnusedAutomaticCodecs()
        let isCapped = grant.frameRate.map { rate in format.frameRate.map { rate < $0 } ?? true } ?? false
        setCap(isCapped ? grant.frameRate : nil, of: id)
        guard always || subscription.granted != message else { return }
        subscriptions[id]?.granted = message
        if grant.key.isOrdered { append(message, to: id) } else { actions.append(.granted(id, message)) }
    }

    private mutating func setCap(_ cap: FrameRate?, of id: SubscriptionID) {
        guard subscriptions[id]?.cap != cap else { return }
        subscriptions[id]?.cap = cap
        switch subscriptions[id]?.mode {
        case .latest(var latest):
            latest.gate = RateGate(cap)
            subscriptions[id]?.mode = .latest(latest)
        case .ordered(var ordered):
            ordered.gate = RateGate(cap)
            subscriptions[id]?.mode = .ordered(ordered)
        case nil: break
        }
    }

    /// Takes a stream out of its rendition: of the newest frames, what was under way is a discontinuity, and its credit
    /// comes back.
    mutating func leaveRendition(_ id: SubscriptionID) {
        guard let key = subscriptions[id]?.grant?.key, renditions[key] != nil else { return }
        // The frames of a stream that wants every one stay in its queue, in the rendition they came in.
        if !key.isOrdered { leaveLatest(id, key) }
        renditions[key]?.users -= 1
        forgetIfUnused(key)
    }

    /// A rendition is kept as long as a stream wants it, or a frame of it waits in a queue.
    mutating func forgetIfUnused(_ key: RenditionKey) {
        guard let rendition = renditions[key], rendition.users == 0, rendition.ordered.isEmpty else { return }
        renditions[key] = nil
    }

    // MARK: - The automatic codec

    /// Counts a frame that a stream with credit wanted.
    mutating func countAutomatic(_ id: SubscriptionID, encoderBusy: Bool) {
        guard let grant = subscriptions[id]?.grant, grant.isAutomatic else { return }
        automatic[AutomaticKey(crop: grant.key.crop, size: grant.key.size)]?.counted(encoderBusy: encoderBusy)
    }

    private mutating func forgetUnusedAutomaticCodecs() {
        guard !automatic.isEmpty else { return }
        let used = subscriptions.values.compactMap {
            $0.grant.map { AutomaticKey(crop: $0.key.crop, size: $0.key.size) }
        }
        automatic = automatic.filter { used.contains($0.key) }
    }

    private mutating func judgeAutomaticCodecs(at now: HostTime) {
        for key in automatic.keys {
            guard let change = automatic[key]?.judge(at: now) else { continue }
            actions.append(.codecChanged(key.size, change))
            for id in order {
                guard let grant = subscriptions[id]?.grant, grant.isAutomatic, grant.key.size == key.size,
                    grant.key.crop == key.crop
                else { continue }
                regrant(id, at: now)
            }
        }
    }
}
