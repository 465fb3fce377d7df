import CameraCapture
import CameraMedia
import CameraProtocol

/// Streams that want the newest frame.
extension CameraDelivery {
    private mutating func withLatest<Result>(
        _ id: SubscriptionID, _ body: (inout Subscription.Latest) -> Result
    ) -> Result? {
        guard case .latest(var latest) = subscriptions[id]?.mode else { return nil }
        defer { subscriptions[id]?.mode = .latest(latest) }
        return body(&latest)
    }

    private mutating func changeUnderWay(_ id: SubscriptionID, by count: Int) {
        guard let client = subscriptions[id]?.client else { return }
        outboxes[client]?.underWay += count
        if count < 0 { relieved.insert(client) }
        _ = withLatest(id) { $0.underWay += count }
    }

    /// A newer frame takes the place of the one that waits, everywhere.
    mutating func replaceNewest(with frame: CapturedFrame) {
        newest = frame
        for key in renditions.keys {
            guard let pending = renditions[key]?.waiting else { continue }
            renditions[key]?.waiting = nil
            for id in pending.receivers {
                subscriptions[id]?.credit += 1
                changeUnderWay(id, by: -1)
                _ = withLatest(id) { $0.ledger.dropped(pending.frame.ordinal, because: .encoderBusy) }
                countAutomatic(id, encoderBusy: true)
            }
        }
    }

    /// No frame is the newest: the camera stopped, or its format changed. Whoever waited for it gets another.
    mutating func forgetNewest() {
        newest = nil
        for id in order {
            let hasCredit = (subscriptions[id]?.credit ?? 0) > 0
            _ = withLatest(id) { latest in
                guard let ordinal = latest.undecided else { return }
                latest.ledger.dropped(ordinal, because: hasCredit ? .rateCap : .noCredit)
                latest.undecided = nil
            }
        }
    }

    /// Enters a frame into the stream's account; the frame before it, if still undecided, is decided now.
    mutating func announce(_ frame: CapturedFrame, to id: SubscriptionID) {
        let hasCredit = (subscriptions[id]?.credit ?? 0) > 0
        let sample = frame.sample
        let wasLatest: Void? = withLatest(id) { latest in
            if let ordinal = latest.undecided {
                latest.ledger.dropped(ordinal, because: hasCredit ? .rateCap : .noCredit)
            }
            latest.ledger.arrived(frame.ordinal, epoch: sample.epoch, carrying: sample.drops)
            latest.undecided = frame.ordinal
        }
        if wasLatest == nil { append(frame, to: id) }
    }

    /// A new stream may have the frame that waits already.
    mutating func offerNewest(to id: SubscriptionID, at now: HostTime) {
        guard let newest, state.state == .running || state.state == .starting else { return }
        _ = withLatest(id) { latest in
            latest.ledger.arrived(newest.ordinal, epoch: newest.sample.epoch, carrying: DropCounts())
            latest.undecided = newest.ordinal
        }
        serve(id, at: now)
    }

    /// Gives a stream what it may have now.
    mutating func serve(_ id: SubscriptionID, at now: HostTime) {
        guard let subscription = subscriptions[id] else { return }
        guard case .latest(let latest) = subscription.mode else { return serveOrdered(id) }
        if let key = subscription.grant?.key, let newest, latest.undecided == newest.ordinal, subscription.credit > 0,
            hasRoom(subscription.client), latest.gate.opening(after: now.nanoseconds) == nil
        {
            subscriptions[id]?.credit -= 1
            changeUnderWay(id, by: 1)
            _ = withLatest(id) { latest in
                latest.undecided = nil
                latest.gate.passed(at: now.nanoseconds)
            }
            join(id, key, newest)
        }
        flushStatuses(id)
    }

    private mutating func join(_ id: SubscriptionID, _ key: RenditionKey, _ frame: CapturedFrame) {
        guard let rendition = renditions[key] else { return }
        if let ready = rendition.newest, ready.ordinal == frame.ordinal {
            send(ready, to: id)
        } else if let job = rendition.encoding.first(where: { $0.value.frame.ordinal == frame.ordinal })?.key {
            renditions[key]?.encoding[job]?.receivers.append(id)
        } else if let ready = rendition.untouched(frame) {
            renditions[key]?.newest = ready
            send(ready, to: id)
        } else if rendition.waiting?.frame.ordinal == frame.ordinal {
            renditions[key]?.waiting?.receivers.append(id)
        } else {
            renditions[key]?.waiting = Rendition.Pending(frame: frame, receivers: [id])
        }
    }

    private mutating func send(_ frame: EncodedFrame, to id: SubscriptionID) {
        changeUnderWay(id, by: -1)
        let drops = withLatest(id) { latest -> DropCounts? in
            guard latest.lastSent.map({ $0 < frame.ordinal }) ?? true else { return nil }
            latest.lastSent = frame.ordinal
            return latest.ledger.sent(frame.ordinal)
        }
        if let drops = drops ?? nil {
            var metadata = frame.metadata
            metadata.drops = drops
            if let client = subscriptions[id]?.client { outboxes[client]?.waiting += 1 }
            countAutomatic(id, encoderBusy: false)
            actions.append(.frame(id, metadata, frame))
        } else {
            // Outdated: a newer one was ready first. The credit comes back.
            subscriptions[id]?.credit += 1
            countAutomatic(id, encoderBusy: true)
        }
    }

    mutating func finishedLatest(_ job: EncodeJob, _ key: RenditionKey, _ encoded: EncodedFrame?, at now: HostTime) {
        guard let pending = renditions[key]?.encoding.removeValue(forKey: job.id) else { return }
        if let encoded, (renditions[key]?.newest?.ordinal).map({ $0 < encoded.ordinal }) ?? true {
            renditions[key]?.newest = encoded
        }
        defer { serveRelieved(at: now) }
        for id in pending.receivers where subscriptions[id]?.grant?.key == key {
            let isCurrent = withLatest(id) { $0.ledger.isCurrent(epoch: job.frame.sample.epoch) } ?? false
            if let encoded, isCurrent {
                send(encoded, to: id)
            } else {
                subscriptions[id]?.credit += 1
                changeUnderWay(id, by: -1)
                _ = withLatest(id) { $0.ledger.dropped(job.frame.ordinal, because: .corrupt) }
            }
            serve(id, at: now)
        }
    }

    mutating func leaveLatest(_ id: SubscriptionID, _ key: RenditionKey) {
        renditions[key]?.waiting?.receivers.removeAll { $0 == id }
        if renditions[key]?.waiting?.receivers.isEmpty == true { renditions[key]?.waiting = nil }
        for job in (renditions[key]?.encoding ?? [:]).keys {
            renditions[key]?.encoding[job]?.receivers.removeAll { $0 == id }
        }
        let newestOrdinal = newest?.ordinal
        let returned = withLatest(id) { latest -> Int in
            // The newest frame was not lost: the stream may have it in its new rendition.
            let isUndecided = latest.undecided != nil
            latest.ledger.droppedAll(because: .discontinuity, except: isUndecided ? newestOrdinal : nil)
            return latest.underWay
        }
        changeUnderWay(id, by: -(returned ?? 0))
        subscriptions[id]?.credit += returned ?? 0
    }

    /// A camera's state reaches the stream after the frames under way, and after a file's last frame.
    mutating func announce(_ state: CaptureState, to id: SubscriptionID) {
        let status = CameraStatus(
            camera: name, state: state.state, reason: state.reason, text: state.text, drops: state.drops)
        if withLatest(id, { $0.statuses.append(status) }) == nil { append(status, to: id) }
        flushStatuses(id)
    }

    private mutating func flushStatuses(_ id: SubscriptionID) {
        let isEnded = state.state == .ended
        let flushed = withLatest(id) { latest -> [CameraStatus] in
            guard latest.underWay == 0, !(isEnded && latest.undecided != nil) else { return [] }
            defer { latest.statuses = [] }
            return latest.statuses
        }
        for var status in flushed ?? [] {
            // Without a frame there is nothing since which anything could have been dropped.
            let drops = withLatest(id) { latest -> DropCounts in
                var drops = latest.ledger.takeDropped()
                if latest.ledger.hasSent { drops.add(status.drops) }
                return drops
            }
            status.drops = drops ?? DropCounts()
            actions.append(.status(id, status))
        }
    }

    // MARK: - Jobs

    func hasWaitingFrame(_ rendition: Rendition) -> Bool {
        rendition.waiting != nil || nextOrderedFrame(of: rendition) != nil
    }

    mutating func takeWaitingFrame(of key: RenditionKey) -> CapturedFrame? {
        guard let rendition = renditions[key] else { return nil }
        return rendition.waiting?.frame ?? nextOrderedFrame(of: rendition)
    }

    mutating func assign(_ frame: CapturedFrame, of key: RenditionKey, to job: UInt64) {
        if key.isOrdered {
            renditions[key]?.ordered[frame.ordinal]?.state = .encoding
        } else if let pending = renditions[key]?.waiting {
            renditions[key]?.encoding[job] = pending
            renditions[key]?.waiting = nil
        }
    }
}
