public import CameraMedia
import Foundation
import Synchronization

/// The way from an input to the outputs it is connected to.
///
/// The input delivers from one thread; the demand may change on any.
public final class CaptureInputPort: Sendable {
    private struct Link {
        let connection: CaptureConnection
        let output: any CaptureOutput
    }

    private struct State {
        var links: [Link] = []
        var isOpen = true
    }

    private let state = Mutex(State())
    private let demandChanged = NSCondition()

    init() {}

    /// Hands an event to every connected output, in order.
    public func deliver(_ event: CaptureEvent) {
        for link in state.withLock({ $0.links }) { link.output.receive(event, from: link.connection) }
    }

    /// What all connected outputs want together.
    public var demand: CaptureDemand {
        state.withLock { state in
            state.links.reduce(into: CaptureDemand()) { $0.add($1.connection.demand) }
        }
    }

    /// Waits until the demand satisfies `condition`, the deadline passes, or the port is closed.
    ///
    /// - Returns: The demand then; `nil` if the port was closed: the input ends.
    public func waitForDemand(
        until deadline: HostTime? = nil, _ condition: (CaptureDemand) -> Bool
    ) -> CaptureDemand? {
        demandChanged.lock()
        defer { demandChanged.unlock() }
        while true {
            guard state.withLock({ $0.isOpen }) else { return nil }
            let demand = self.demand
            if condition(demand) { return demand }
            if let deadline {
                let rest = Double(deadline.nanoseconds(since: .now())) / 1e9
                if rest == 0 || !demandChanged.wait(until: Date(timeIntervalSinceNow: rest)) {
                    return state.withLock { $0.isOpen } ? self.demand : nil
                }
            } else {
                demandChanged.wait()
            }
        }
    }

    func connect(_ output: any CaptureOutput) -> CaptureConnection {
        let connection = CaptureConnection(port: self)
        output.attach(to: connection)
        state.withLock { $0.links.append(Link(connection: connection, output: output)) }
        demandDidChange()
        return connection
    }

    func disconnect(_ connection: CaptureConnection) {
        let link: Link? = state.withLock { state in
            guard let index = state.links.firstIndex(where: { $0.connection === connection }) else { return nil }
            return state.links.remove(at: index)
        }
        link?.output.detach(from: connection)
        demandDidChange()
    }

    func close() {
        state.withLock { $0.isOpen = false }
        demandDidChange()
    }

    func demandDidChange() {
        demandChanged.lock()
        demandChanged.broadcast()
        demandChanged.unlock()
    }
}
