public import CameraCapture
public import CameraMedia
public import CameraProtocol
import Foundation

/// An output that keeps what it receives, for tests.
public final class RecordingOutput: CaptureOutput, @unchecked Sendable {
    /// What came, in order.
    public enum Entry: Sendable {
        /// It was added to a session.
        case attached
        /// Something was delivered.
        case event(CaptureEvent)
        /// It was removed.
        case detached
    }

    // Guarded by `changed`.
    private var recorded: [Entry] = []
    private var connection: CaptureConnection?
    private var demand: CaptureDemand
    private let changed = NSCondition()
    private let takesSamples: Bool

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - demand: What it wants at first; by default the newest frame.
    ///   - keepsSamples: Whether it holds on to samples, and with them to their buffers.
    public init(
        demand: CaptureDemand = CaptureDemand(arrivals: 1, latestCount: 1, isLatestReady: true),
        keepsSamples: Bool = true
    ) {
        self.demand = demand
        takesSamples = keepsSamples
    }

    /// Records it and states the demand.
    public func attach(to connection: CaptureConnection) {
        let demand = locked {
            self.connection = connection
            recorded.append(.attached)
            return self.demand
        }
        connection.setDemand(demand)
    }

    /// Records it.
    public func detach(from connection: CaptureConnection) {
        locked {
            self.connection = nil
            recorded.append(.detached)
        }
    }

    /// Records it.
    public func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
        if !takesSamples, case .sample = event { return }
        locked { recorded.append(.event(event)) }
    }

    /// Wants something else from now on.
    public func setDemand(_ demand: CaptureDemand) {
        let connection = locked {
            self.demand = demand
            return self.connection
        }
        connection?.setDemand(demand)
    }

    /// What came so far.
    public var entries: [Entry] { locked { recorded } }

    /// The samples that came so far.
    public var samples: [SampleBuffer] { Self.samples(in: entries) }

    /// The formats that came so far.
    public var formats: [CaptureFormat] {
        entries.compactMap { if case .event(.format(let format)) = $0 { format } else { nil } }
    }

    /// The states that came so far.
    public var states: [CaptureState] {
        entries.compactMap { if case .event(.state(let state)) = $0 { state } else { nil } }
    }

    /// Lets go of all that came.
    public func clear() {
        locked { recorded = [] }
    }

    /// Waits until `count` samples have come.
    ///
    /// - Returns: All that came; fewer if a minute passed.
    public func waitForSamples(_ count: Int) -> [SampleBuffer] {
        Self.samples(in: wait { Self.samples(in: $0).count >= count })
    }

    /// Waits until a state has come.
    ///
    /// - Returns: The first such state; `nil` if a minute passed.
    public func waitForState(_ state: CameraState) -> CaptureState? {
        func find(_ entries: [Entry]) -> CaptureState? {
            entries.lazy.compactMap {
                if case .event(.state(let found)) = $0, found.state == state { found } else { nil }
            }
            .first
        }
        return find(wait { find($0) != nil })
    }

    /// Waits until what came satisfies `condition`, at most a minute.
    @discardableResult
    public func wait(until condition: ([Entry]) -> Bool) -> [Entry] {
        let deadline = Date(timeIntervalSinceNow: 60)
        changed.lock()
        defer { changed.unlock() }
        while !condition(recorded), changed.wait(until: deadline) {}
        return recorded
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        changed.lock()
        defer {
            changed.broadcast()
            changed.unlock()
        }
        return body()
    }

    private static func samples(in entries: [Entry]) -> [SampleBuffer] {
        entries.compactMap { if case .event(.sample(let sample)) = $0 { sample } else { nil } }
    }
}

extension SampleBuffer {
    /// Whether the drops that each sample reports are the gap in front of it, within one epoch.
    public static func gapsEqualDrops(_ samples: [SampleBuffer]) -> Bool {
        zip(samples, samples.dropFirst()).allSatisfy { first, second in
            first.epoch != second.epoch || second.sequence - first.sequence - 1 == second.drops.total
        }
    }
}
