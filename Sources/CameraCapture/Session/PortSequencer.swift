import CameraMedia
import CameraProtocol

/// Puts a port's events and the coming and going of its outputs into one order: a value without locks.
///
/// Steps are carried out one after the other. Whoever adds something asks for ``next()`` until there is nothing left
/// or somebody else is at it.
struct PortSequencer {
    /// Names a connection.
    typealias Receiver = ObjectIdentifier

    /// Something to do, outside of any lock.
    struct Step {
        enum Action {
            /// Tell the receivers that they are connected.
            case attach
            /// Hand the event to the receivers.
            case receive(CaptureEvent)
            /// Tell the receivers that their connection is gone.
            case detach
        }
        var action: Action
        var receivers: [Receiver]
    }

    private enum Entry {
        case event(CaptureEvent)
        case connect(Receiver)
        case disconnect(Receiver)
        case enable(Receiver, Bool)
    }

    /// A connected output.
    private struct Member {
        let receiver: Receiver
        var isEnabled = true
        /// Without a sample of this epoch so far: the first carries no drops.
        var isFresh = true
        /// The last sample in front of those that were kept from it; the next one carries the gap.
        var lastBeforeGap: UInt64?
    }

    private var entries: [Entry] = []
    private var steps: [Step] = []
    private var isBusy = false
    private var isOpen = false
    private var format: CaptureFormat?
    private var state = CaptureState(.idle)
    private var members: [Member] = []
    /// The last sample.
    private var position: FramePosition?

    /// The input starts: nothing of its last run is current any more.
    mutating func opened() {
        isOpen = true
        format = nil
    }

    /// The input ends; what it has delivered and nobody has taken yet is forgotten.
    mutating func closed() {
        isOpen = false
        entries.removeAll { if case .event = $0 { true } else { false } }
    }

    /// The input delivered.
    ///
    /// - Returns: Whether it may.
    mutating func delivered(_ event: CaptureEvent) -> Bool {
        if isOpen { entries.append(.event(event)) }
        return isOpen
    }

    /// The session has something to say for the input.
    mutating func announced(_ state: CaptureState) {
        entries.append(.event(.state(state)))
    }

    /// An output shall be attached.
    mutating func connected(_ receiver: Receiver) {
        entries.append(.connect(receiver))
    }

    /// An output shall be detached.
    mutating func disconnected(_ receiver: Receiver) {
        entries.append(.disconnect(receiver))
    }

    /// An output shall get samples, or none.
    mutating func enabled(_ isEnabled: Bool, _ receiver: Receiver) {
        entries.append(.enable(receiver, isEnabled))
    }

    /// What to do next; `nil` if there is nothing or somebody is at it.
    mutating func next() -> Step? {
        guard !isBusy else { return nil }
        while steps.isEmpty, !entries.isEmpty { steps = makeSteps(entries.removeFirst()) }
        guard !steps.isEmpty else { return nil }
        isBusy = true
        return steps.removeFirst()
    }

    /// A step was carried out.
    mutating func finishedStep() {
        isBusy = false
    }

    private mutating func makeSteps(_ entry: Entry) -> [Step] {
        switch entry {
        case .event(.sample(let sample)): return makeSteps(sample)
        case .event(let event):
            if case .format(let format) = event { self.format = format }
            if case .state(let state) = event { self.state = state }
            return members.isEmpty ? [] : [Step(action: .receive(event), receivers: members.map(\.receiver))]
        case .connect(let receiver):
            members.append(Member(receiver: receiver))
            var current = state
            current.drops = DropCounts()
            let events: [CaptureEvent] = (format.map { [.format($0)] } ?? []) + [.state(current)]
            let actions = [Step.Action.attach] + events.map { .receive($0) }
            return actions.map { Step(action: $0, receivers: [receiver]) }
        case .disconnect(let receiver):
            guard let index = index(of: receiver) else { return [] }
            members.remove(at: index)
            return [Step(action: .detach, receivers: [receiver])]
        case .enable(let receiver, let isEnabled):
            guard let index = index(of: receiver), members[index].isEnabled != isEnabled else { return [] }
            members[index].isEnabled = isEnabled
            // One gap may consist of several.
            if !isEnabled, !members[index].isFresh, members[index].lastBeforeGap == nil {
                members[index].lastBeforeGap = position?.sequence
            }
            return []
        }
    }

    private func index(of receiver: Receiver) -> Int? {
        members.firstIndex { $0.receiver == receiver }
    }

    private mutating func makeSteps(_ sample: SampleBuffer) -> [Step] {
        let isNewEpoch = sample.epoch != position?.epoch
        position = sample.position
        var groups: [(drops: DropCounts, receivers: [Receiver])] = []
        for index in members.indices {
            if isNewEpoch { (members[index].isFresh, members[index].lastBeforeGap) = (true, nil) }
            guard members[index].isEnabled else { continue }
            let drops = drops(of: sample, for: members[index])
            (members[index].isFresh, members[index].lastBeforeGap) = (false, nil)
            if let group = groups.firstIndex(where: { $0.drops == drops }) {
                groups[group].receivers.append(members[index].receiver)
            } else {
                groups.append((drops, [members[index].receiver]))
            }
        }
        return groups.map { drops, receivers in
            var sample = sample
            sample.drops = drops
            return Step(action: .receive(.sample(sample)), receivers: receivers)
        }
    }

    private func drops(of sample: SampleBuffer, for member: Member) -> DropCounts {
        if member.isFresh { return DropCounts() }
        guard let last = member.lastBeforeGap else { return sample.drops }
        return sample.sequence > last ? DropCounts(.discontinuity, sample.sequence - last - 1) : DropCounts()
    }
}
