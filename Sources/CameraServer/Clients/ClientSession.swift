import CameraProtocol

/// The server's side of the protocol for one client: what may come when, and what it asks for.
struct ClientSession: Sendable {
    /// What the owner has to do.
    enum Reaction: Sendable, Equatable {
        /// Answer with the cameras.
        case welcome(Hello)
        /// Open a stream.
        case subscribe(StreamID, Subscribe)
        /// Change a stream.
        case update(StreamID, StreamRequest)
        /// Close a stream.
        case unsubscribe(StreamID)
        /// Note credit.
        case credit(StreamID, Int)
        /// Answer a ping.
        case pong(Ping)
        /// Nothing.
        case none
        /// Tell the client what is wrong; the connection goes on.
        case fail(StreamID, ErrorCode, String)
        /// Tell the client what is wrong, and close.
        case close(ErrorCode, String)
        /// The client leaves.
        case leave
    }

    private enum State {
        case awaitingHello
        case active
        case closed
    }

    private var state = State.awaitingHello
    private var streams: Set<StreamID> = []

    /// Whether the client has said hello.
    var isActive: Bool { if case .active = state { true } else { false } }

    /// A message came.
    mutating func received(_ message: Message, stream: StreamID) -> Reaction {
        switch (state, message) {
        case (.closed, _): return .none
        case (_, .bye):
            state = .closed
            return .leave
        case (.awaitingHello, .hello(let hello)):
            state = .active
            return .welcome(hello)
        case (.awaitingHello, _):
            state = .closed
            return .close(.protocolViolation, "the first message has to be hello")
        case (.active, _):
            return receivedActive(message, stream)
        }
    }

    private mutating func receivedActive(_ message: Message, _ stream: StreamID) -> Reaction {
        switch message {
        case .subscribe(let subscribe):
            guard !streams.contains(stream) else {
                return .fail(stream, .streamState, "stream \(stream) is open already")
            }
            guard streams.count < Limits.streamCount else {
                return .fail(stream, .limitExceeded, "a connection carries at most \(Limits.streamCount) streams")
            }
            if case .shared = subscribe.request.delivery {
                return .fail(stream, .unsupported, "this server does not deliver to groups")
            }
            streams.insert(stream)
            return .subscribe(stream, subscribe)
        case .update(let request):
            guard streams.contains(stream) else { return unknown(stream) }
            return .update(stream, request)
        case .unsubscribe:
            guard streams.remove(stream) != nil else { return unknown(stream) }
            return .unsubscribe(stream)
        // Credit and acknowledgements may cross the end of a stream on their way.
        case .credit(let count): return streams.contains(stream) ? .credit(stream, Int(count)) : .none
        case .acknowledge, .pong: return .none
        case .ping(let ping): return .pong(ping)
        case .listControls, .getControl, .setControl:
            return .fail(stream, .unsupported, "this server has no controls")
        case .error(let failure):
            guard failure.closesConnection else { return .none }
            state = .closed
            return .leave
        case .hello:
            state = .closed
            return .close(.protocolViolation, "hello comes once")
        case .welcome, .subscribed, .unsubscribed, .status, .controls, .controlValue, .bye:
            // The parser refuses these for a server.
            return .none
        }
    }

    private func unknown(_ stream: StreamID) -> Reaction {
        .fail(stream, .streamState, "stream \(stream) is not open")
    }

    /// The server closed a stream.
    mutating func ended(_ stream: StreamID) {
        streams.remove(stream)
    }
}
