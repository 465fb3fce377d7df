public import CameraCapture
import CameraMedia
import Synchronization

/// The network end of a camera: an output that hands a session's frames to a server's clients.
///
/// Made by ``CameraServer/addCamera(name:localizedName:)``; add it to a capture session. May be used from any thread.
public final class StreamOutput: CaptureOutput {
    private struct State {
        var connection: CaptureConnection?
        var demand = CaptureDemand()
        /// Frames that every ordered stream has room for, as of the last report.
        var room = 0
        /// Frames handed to the server and not yet in its account.
        var posted = 0

        /// What the input may know: frames on their way count as delivered already.
        var visibleDemand: CaptureDemand {
            var visible = demand
            visible.isLatestReady = demand.isLatestReady && posted == 0
            visible.isOrderedReady = room > posted
            return visible
        }
    }

    /// The camera's name on the server.
    public let name: String
    private let core: ServerCore
    private let camera: Int
    private let state = Mutex(State())

    init(name: String, camera: Int, core: ServerCore) {
        self.name = name
        self.camera = camera
        self.core = core
    }

    /// Called by the session.
    public func attach(to connection: CaptureConnection) {
        state.withLock { state in
            state.connection = connection
            connection.setDemand(state.visibleDemand)
        }
    }

    /// Called by the session.
    public func detach(from connection: CaptureConnection) {
        state.withLock { state in
            if state.connection === connection { state.connection = nil }
        }
    }

    /// Called by the session.
    public func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
        if case .sample = event {
            updateDemand { $0.posted += 1 }
        }
        core.loop.execute { [core, camera] in
            core.assumeIsolated { $0.received(event, from: camera) }
        }
    }

    /// The server took a frame into its account, or what its clients want changed.
    func report(_ demand: CaptureDemand, room: Int, accounted: Int) {
        updateDemand { state in
            state.demand = demand
            state.room = room
            state.posted -= accounted
        }
    }

    private func updateDemand(_ change: (inout State) -> Void) {
        state.withLock { state in
            let before = state.visibleDemand
            change(&state)
            let after = state.visibleDemand
            // Told under the lock: two threads that told it outside could do so in the wrong order.
            if before != after { state.connection?.setDemand(after) }
        }
    }
}
