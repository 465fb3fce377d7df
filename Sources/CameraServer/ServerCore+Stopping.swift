import CameraMedia
import CameraProtocol
import Foundation

/// The end.
extension ServerCore {
    /// Stops; what waits is sent first, as far as that goes within the limit.
    nonisolated func stop(within limit: Duration, completion: @escaping @Sendable () -> Void) {
        loop.execute { [self] in assumeIsolated { $0.stopNow(within: limit, completion: completion) } }
    }

    private func stopNow(within limit: Duration, completion: @escaping @Sendable () -> Void) {
        stopCompletions.append(completion)
        guard !isStopped else { return stopIfDone() }
        isStopped = true
        for listener in listeners {
            loop.unregister(listener.registration)
            if let path = listener.path { unlink(path) }
        }
        listeners = []
        for client in Array(clients.values) {
            client.channel.send(.bye(Bye(code: .shuttingDown, text: "the server stops")))
            client.channel.finish(within: limit.nanoseconds)
        }
        stopIfDone()
    }

    func stopIfDone() {
        guard isStopped, clients.isEmpty else { return }
        encoders.stop()
        // The cameras' outputs refer to the core.
        cameras = []
        let completions = stopCompletions
        stopCompletions = []
        for completion in completions { completion() }
    }
}
