import CameraMedia
import CameraTransport

/// New connections.
extension ServerCore {
    func listen(on sockets: [Socket], path: String?) throws(SocketError) {
        if listeners.isEmpty { scheduleTick() }
        for socket in sockets {
            let registration = try loop.register(socket.descriptor, for: .read) { [weak self] _ in
                self?.assumeIsolated { $0.accept(from: socket) }
            }
            listeners.append(Listener(socket: socket, registration: registration, path: path))
        }
    }

    private func accept(from listener: Socket) {
        do throws(SocketError) {
            while let socket = try listener.accept() { try welcome(socket) }
        } catch {
            // Descriptors or memory are out: the connection waits in the kernel until some are free.
            logOnce("cannot accept a connection: \(error.reason)")
            setListening(false)
            loop.schedule(at: HostTime.now().advanced(by: 200_000_000)) { [weak self] in
                self?.assumeIsolated { $0.setListening(true) }
            }
        }
    }

    private func setListening(_ listens: Bool) {
        for listener in listeners { loop.setInterest(listens ? .read : [], of: listener.registration) }
    }
}
