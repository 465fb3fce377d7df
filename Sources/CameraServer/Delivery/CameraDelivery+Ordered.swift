import CameraCapture
import CameraMedia
import CameraProtocol

/// Streams that want every frame.
extension CameraDelivery {
    private mutating func withOrdered<Result>(
        _ id: SubscriptionID, _ body: (inout Subscription.Ordered) -> Result
    ) -> Result? {
        guard case .ordered(var ordered) = subscriptions[id]?.mode else { return nil }
        defer { subscriptions[id]?.mode = .ordered(ordered) }
        return body(&ordered)
    }

    /// Puts a frame into the stream's queue; a full one loses its oldest that nobody encodes.
    mutating func append(_ frame: CapturedFrame, to id: SubscriptionID) {
        guard let key = subscriptions[id]?.grant?.key, let rendition = renditions[key] else { return }
        let cap = subscriptions[id]?.cap
        let sample = frame.sample
        // A rate is kept by the frames' own times: a file may be read faster than it plays.
        let time = format?.frameRate.map { $0.time(ofFrame: sample.sequence) } ?? sample.captureTime.host.nanoseconds
        let passes = withOrdered(id) { ordered -> Bool in
            if sample.epoch != ordered.epoch {
                ordered.epoch = sample.epoch
                ordered.drops = DropCounts()
                // Sequence numbers begin again, and with them the time by which the rate is kept.
                ordered.gate = RateGate(cap)
            }
            ordered.drops.add(sample.drops)
            guard ordered.gate.opening(after: time) == nil else {
                ordered.drops.add(.rateCap)
                return false
            }
            ordered.gate.passed(at: time)
            ordered.entries.append(.frame(ordinal: frame.ordinal, epoch: sample.epoch, drops: ordered.drops, key: key))
            ordered.drops = DropCounts()
            return true
        }
        guard passes == true else { return }
        if renditions[key]?.ordered[frame.ordinal] == nil {
            let state = rendition.untouched(frame).map(Rendition.OrderedFrame.State.encoded) ?? .waiting(frame)
            renditions[key]?.ordered[frame.ordinal] = Rendition.OrderedFrame(state: state, users: 0)
        }
        renditions[key]?.ordered[frame.ordinal]?.users += 1
        dropOldest(of: id)
    }

    private mutating func dropOldest(of id: SubscriptionID) {
        guard let subscription = subscriptions[id], case .ordered(let ordered) = subscription.mode,
            ordered.frameCount > ordered.depth
        else { return }
        let frames = ordered.entries.indices.filter { ordinal(of: ordered.entries[$0]) != nil }
        let idle = frames.firstIndex { index in
            guard case .frame(let ordinal, _, _, let key) = ordered.entries[index],
                case .encoding = renditions[key]?.ordered[ordinal]?.state
            else { return true }
            return false
        }
        let place = idle ?? 0
        // It waited for an encoder only if its client was ready for it: with credit, and with a connection that takes it.
        let wasReady = place < subscription.credit && hasRoom(subscription.client)
        let isEncoded: Bool =
            if case .frame(let ordinal, _, _, let key) = ordered.entries[frames[place]],
                case .encoded = renditions[key]?.ordered[ordinal]?.state
            { true } else { false }
        remove(entryAt: frames[place], of: id, because: wasReady && !isEncoded ? .encoderBusy : .noCredit)
    }

    private func ordinal(of entry: Subscription.Ordered.Entry) -> UInt64? {
        if case .frame(let ordinal, _, _, _) = entry { ordinal } else { nil }
    }

    /// Takes a frame out of a queue; the next of its epoch, or what follows, carries the drop.
    private mutating func remove(entryAt index: Int, of id: SubscriptionID, because reason: DropReason) {
        let removed = withOrdered(id) { ordered -> (UInt64, RenditionKey)? in
            guard case .frame(let ordinal, let epoch, var drops, let key) = ordered.entries.remove(at: index) else {
                return nil
            }
            drops.add(reason)
            for next in ordered.entries.indices.dropFirst(index) {
                switch ordered.entries[next] {
                case .frame(let other, epoch, var carried, let otherKey):
                    carried.add(drops)
                    ordered.entries[next] = .frame(ordinal: other, epoch: epoch, drops: carried, key: otherKey)
                case .status(var status):
                    status.drops.add(drops)
                    ordered.entries[next] = .status(status)
                case .granted: continue
                case .frame: break  // Another epoch: what was lost between epochs is not counted.
                }
                return (ordinal, key)
            }
            if ordered.epoch == epoch { ordered.drops.add(drops) }
            return (ordinal, key)
        }
        if let (ordinal, key) = removed ?? nil { release(ordinal, of: key) }
    }

    private mutating func release(_ ordinal: UInt64, of key: RenditionKey) {
        renditions[key]?.ordered[ordinal]?.users -= 1
        if renditions[key]?.ordered[ordinal]?.users == 0 { renditions[key]?.ordered[ordinal] = nil }
        forgetIfUnused(key)
    }

    /// What the stream carries changes behind the frames that wait.
    mutating func append(_ grant: Subscribed, to id: SubscriptionID) {
        _ = withOrdered(id) { $0.entries.append(.granted(grant)) }
        serveOrdered(id)
    }

    mutating func append(_ status: CameraStatus, to id: SubscriptionID) {
        _ = withOrdered(id) { ordered in
            var status = status
            status.drops.add(ordered.drops)
            ordered.drops = DropCounts()
            ordered.entries.append(.status(status))
        }
        serveOrdered(id)
    }

    /// Sends from the head of the queue what is ready, as far as credit goes.
    mutating func serveOrdered(_ id: SubscriptionID) {
        while case .ordered(let ordered) = subscriptions[id]?.mode, let first = ordered.entries.first {
            switch first {
            case .granted(let grant):
                _ = withOrdered(id) { $0.entries.removeFirst() }
                actions.append(.granted(id, grant))
            case .status(var status):
                _ = withOrdered(id) { $0.entries.removeFirst() }
                // Without a frame there is nothing since which anything could have been dropped.
                if ordered.sentEpoch == nil || ordered.sentEpoch != ordered.epoch { status.drops = DropCounts() }
                actions.append(.status(id, status))
            case .frame(let ordinal, let epoch, let drops, let key):
                guard let subscription = subscriptions[id], subscription.credit > 0, hasRoom(subscription.client) else {
                    return
                }
                switch renditions[key]?.ordered[ordinal]?.state {
                case .encoded(let frame):
                    subscriptions[id]?.credit -= 1
                    let isFirst = withOrdered(id) { ordered -> Bool in
                        ordered.entries.removeFirst()
                        defer { ordered.sentEpoch = epoch }
                        return ordered.sentEpoch != epoch
                    }
                    var metadata = frame.metadata
                    metadata.drops = isFirst == false ? drops : DropCounts()
                    outboxes[subscription.client]?.waiting += 1
                    actions.append(.frame(id, metadata, frame))
                    release(ordinal, of: key)
                case .failed, nil: remove(entryAt: 0, of: id, because: .corrupt)
                case .waiting, .encoding: return
                }
            }
        }
    }

    /// The oldest frame that waits for an encoder and that some stream has credit for.
    func nextOrderedFrame(of rendition: Rendition) -> CapturedFrame? {
        guard rendition.key.isOrdered, !rendition.ordered.isEmpty else { return nil }
        var oldest: CapturedFrame?
        for subscription in subscriptions.values {
            guard case .ordered(let ordered) = subscription.mode else { continue }
            let frames = ordered.entries.lazy.filter { if case .frame = $0 { true } else { false } }
            for case .frame(let ordinal, _, _, rendition.key) in frames.prefix(subscription.credit) {
                guard case .waiting(let frame) = rendition.ordered[ordinal]?.state else { continue }
                if oldest.map({ frame.ordinal < $0.ordinal }) ?? true { oldest = frame }
                break
            }
        }
        return oldest
    }

    mutating func finishedOrdered(_ job: EncodeJob, _ key: RenditionKey, _ encoded: EncodedFrame?) {
        guard renditions[key]?.ordered[job.frame.ordinal] != nil else { return }
        renditions[key]?.ordered[job.frame.ordinal]?.state = encoded.map { .encoded($0) } ?? .failed
        for id in order { serveOrdered(id) }
    }

    /// Nothing waits for the stream any more.
    mutating func emptyQueue(of id: SubscriptionID) {
        guard case .ordered(let ordered) = subscriptions[id]?.mode else { return }
        for case .frame(let ordinal, _, _, let key) in ordered.entries { release(ordinal, of: key) }
        _ = withOrdered(id) { $0.entries = [] }
    }
}
