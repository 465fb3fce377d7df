import CameraMedia
import CameraProtocol
import CameraTransport

/// Names a client within the server; never used twice.
struct ClientID: Sendable, Hashable {
    let number: UInt64
}

/// A connected client; belongs to the server's core.
final class Client {
    let id: ClientID
    let channel: MessageChannel
    let peer: String
    var session = ClientSession()
    var liveness: ClientLiveness
    var hello: Hello?
    var streams: [StreamID: (camera: Int, subscription: SubscriptionID)] = [:]

    init(id: ClientID, channel: MessageChannel, liveness: ClientLiveness) {
        self.id = id
        self.channel = channel
        self.liveness = liveness
        peer = channel.peerDescription
    }

    /// The most bytes of a frame's body that both sides agreed on.
    var maximumFrameByteCount: Int { min(Int(hello?.maximumFrameByteCount ?? 0), Limits.frameByteCount) }

    /// For the log: the address, and the name the client gave.
    var description: String {
        guard let name = hello?.name, !name.isEmpty else { return peer }
        return "\(peer) (\(name.printable))"
    }

    func fail(_ stream: StreamID, _ code: ErrorCode, _ text: String, closes: Bool = false) {
        channel.send(.error(Failure(code: code, closesConnection: closes, text: text)), stream: stream)
    }
}
