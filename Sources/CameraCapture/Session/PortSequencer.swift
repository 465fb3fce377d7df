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
    }

    private var entries: [Entry] = []
    private var steps: [Step] = []
    private var isBusy = false
    private var isOpen = false
    private var format: CaptureFormat?
    private var state = CaptureState(.idle)
    private var receivers: [Receiver] = []
    private var epoch: UInt64?
    /// Receivers without a sample of this epoch so far: their first carries no drops.
    private var fresh: Set<Receiver> = []

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
            return receivers.isEmpty ? [] : [Step(action: .receive(event), receivers: receivers)]
        case .connect(let receiver):
            receivers.append(receiver)
            fresh.insert(receiver)
            var current = state
            current.drops = DropCounts()
            let events: [CaptureEvent] = (format.map { [.format($0)] } ?? []) + [.state(current)]
            let actions = [Step.Action.attach] + events.map { .receive($0) }
            return actions.map { Step(action: $0, receivers: [receiver]) }
        case .disconnect(let receiver):
            guard let index = receivers.firstIndex(of: receiver) else { return [] }
            receivers.remove(at: index)
            fresh.remove(receiver)
            return [Step(action: .detach, receivers: [receiver])]
        }
    }

    private mutating func makeSteps(_ sample: SampleBuffer) -> [Step] {
        if sample.epoch != epoch { fresh = Set(receivers) }
        epoch = sample.epoch
        guard !receivers.isEmpty else { return [] }
        guard !fresh.isEmpty, !sample.drops.isEmpty else {
            fresh = []
            return [Step(action: .receive(.sample(sample)), receivers: receivers)]
        }
        var first = sample
        first.drops = DropCounts()
        let (new, old) = (receivers.filter(fresh.contains), receivers.filter { !fresh.contains($0) })
        fresh = []
        return [(first, new), (sample, old)].filter { !$1.isEmpty }.map { sample, receivers in
            Step(action: .receive(.sample(sample)), receivers: receivers)
        }
    }
}
