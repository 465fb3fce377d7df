package import CameraMedia
package import CameraProtocol
import Foundation

/// A connected socket that carries messages and frames both ways.
///
/// Belongs to the event loop's thread: made, used and closed there. Its handler may close it.
package final class MessageChannel {
    /// What happens on a channel.
    package enum Event {
        /// The peer's preamble came; it speaks our major version.
        case opened(Preamble)
        /// A message of the peer.
        case message(Message, stream: StreamID)
        /// A frame of the peer; the payload is `nil` when the pool had no block left for it.
        case frame(FrameMetadata, stream: StreamID, payload: SharedBytes?)
        /// The peer broke the protocol and is being told; nothing of it is read any more.
        case violated(ProtocolError)
        /// Frames that waited were written, so that there is room for others.
        case drained
        /// The channel is closed; the last event.
        case closed(CloseReason)
    }

    /// Why a channel was closed by the other side, or had to be.
    package enum CloseReason: Error, Sendable, Hashable {
        /// The peer closed the connection.
        case endOfStream
        /// The peer broke the protocol.
        case protocolError(ProtocolError)
        /// The connection failed; the `errno`.
        case failed(Int32)
    }

    /// Beyond this many bytes of our own messages waiting, nothing more is read: whoever floods us waits.
    private static let messageBacklog = 65_536
    /// Work in a row before other channels get their turn: a read of payload counts 1, one of messages 8, since it may
    /// bring a thousand.
    private static let workPerTurn = 16

    private let loop: EventLoop
    private let socket: Socket
    private var registration: EventLoop.Registration?
    private var incoming: ReceiveBuffer
    private var outgoing = SendQueue()
    private var handler: ((Event) -> Void)?
    private var interest: EventLoop.Interest = .read
    private var hasShutDown = false
    private var violation: ProtocolError?
    /// When bytes last came, or bytes of frames were last taken; small messages say nothing of a peer, a kernel takes
    /// many of them.
    package private(set) var lastActivity: HostTime
    /// When bytes last came.
    package private(set) var lastReceived: HostTime

    /// Takes a connected socket over, sends the preamble and begins to read.
    ///
    /// - Parameters:
    ///   - side: This side.
    ///   - maximumFrameByteCount: The most bytes of a frame that are taken.
    ///   - pool: Where payloads of frames are put.
    ///   - handler: Called on the loop's thread, never from within the initializer.
    package init(
        socket: Socket, loop: EventLoop, side: Side, maximumFrameByteCount: Int = Limits.frameByteCount,
        pool: MemoryPool, handler: @escaping (Event) -> Void
    ) throws(SocketError) {
        self.loop = loop
        self.socket = socket
        self.handler = handler
        let now = HostTime.now()
        lastActivity = now
        lastReceived = now
        incoming = ReceiveBuffer(receiver: side, maximumFrameByteCount: maximumFrameByteCount, pool: pool)
        registration = try loop.register(socket.descriptor, for: .read) { [weak self] interest in
            self?.ready(interest)
        }
        outgoing.append(Preamble.current.bytes, isUrgent: true)
        flush()
    }

    deinit {
        if let registration { loop.unregister(registration) }
    }

    /// The other end, for logs.
    package var peerDescription: String {
        let address = socket.peerAddress.map { "\($0)" } ?? "?"
        return address == "unix:" ? "local client" : address
    }

    /// Whether the channel can still be used.
    package var isOpen: Bool { handler != nil }

    /// The frames that wait to be written, the one under way included.
    package var waitingFrameCount: Int { outgoing.frameCount }

    /// Whether the peer's kernel is silent although data is under way and its window open.
    package func isPeerSilent(forMilliseconds milliseconds: UInt32) -> Bool {
        socket.isPeerSilent(forMilliseconds: milliseconds)
    }

    /// Agrees on a smaller limit for frames than the one given at the start.
    package func limitFrames(toByteCount byteCount: Int) {
        incoming.parser.maximumFrameByteCount = min(incoming.parser.maximumFrameByteCount, byteCount)
    }

    /// Sends a message: those of the connection at once, those of a stream in order with its frames, `bye` at the end.
    package func send(_ message: Message, stream: StreamID = 0) {
        guard handler != nil, !isFinishing else { return }
        let isOrdered =
            switch message {
            case .subscribed, .unsubscribed, .status, .bye: true
            case .error: stream != 0
            default: false
            }
        outgoing.append(message.encoded(stream: stream), isUrgent: !isOrdered)
        flush()
    }

    /// Sends a frame; the stage time `sent` is set when its first byte is written.
    ///
    /// - Parameter isBorrowed: Whether the payload is the source's own memory; see ``copyBorrowedPayloads()``.
    package func send(_ metadata: FrameMetadata, payload: SharedBytes, isBorrowed: Bool = false, stream: StreamID) {
        guard handler != nil, !isFinishing else { return }
        outgoing.append(metadata, stream: stream, payload: payload, isBorrowed: isBorrowed)
        flush()
    }

    /// Lets go of the source's memory: what waits of it is copied. For a connection that does not keep up.
    package func copyBorrowedPayloads() {
        outgoing.copyBorrowedPayloads()
    }

    /// Whether ``finish(within:)`` was called, or the peer broke the protocol.
    package private(set) var isFinishing = false

    /// Writes what waits, then closes once the peer has; what it still sends is thrown away.
    ///
    /// The handler is told when it is closed.
    /// - Parameter nanoseconds: How long that may take.
    package func finish(within nanoseconds: UInt64 = 1_000_000_000) {
        guard handler != nil, !isFinishing else { return }
        isFinishing = true
        loop.schedule(at: HostTime.now().advanced(by: nanoseconds)) { [weak self] in
            self?.close(telling: .endOfStream)
        }
        flush()
    }

    /// Closes at once; the handler is not told.
    package func close() {
        handler = nil
        if let registration { loop.unregister(registration) }
        registration = nil
    }

    private func close(telling reason: CloseReason) {
        guard let handler else { return }
        close()
        handler(.closed(violation.map { .protocolError($0) } ?? reason))
    }

    private func ready(_ interest: EventLoop.Interest) {
        if interest.contains(.write) {
            let before = outgoing.frameCount
            flush()
            if outgoing.frameCount < before { handler?(.drained) }
        }
        if interest.contains(.read) { receive() }
    }

    private var isReading: Bool { outgoing.messageByteCount < Self.messageBacklog || isFinishing }

    private func receive() {
        var work = 0
        while handler != nil, work < Self.workPerTurn, isReading {
            work += incoming.isReadingPayload ? 1 : 8
            switch incoming.read(from: socket.descriptor) {
            case .bytes:
                lastReceived = .now()
                lastActivity = lastReceived
                if isFinishing { incoming.discard() } else { dispatch() }
            case .wouldBlock:
                updateInterest()
                return
            case .endOfStream: return close(telling: .endOfStream)
            case .failed(let code): return close(telling: .failed(code))
            }
        }
        updateInterest()
    }

    private func dispatch() {
        do throws(ProtocolError) {
            while let handler, let event = try incoming.next() {
                switch event {
                case .preamble(let preamble): handler(.opened(preamble))
                case .message(let message, let stream): handler(.message(message, stream: stream))
                case .frame(let metadata, let stream, let payload):
                    handler(.frame(metadata, stream: stream, payload: payload))
                }
                if isFinishing { return incoming.discard() }
            }
        } catch {
            refuse(error)
        }
    }

    /// Tells a peer that broke the protocol why it is left; one that never spoke it gets no answer.
    private func refuse(_ error: ProtocolError) {
        incoming.discard()
        violation = error
        if case .notCamstream = error {
        } else {
            send(.error(Failure(code: error.code, closesConnection: true, text: "\(error)")))
        }
        let handler = handler
        finish()
        handler?(.violated(error))
    }

    private func flush() {
        let (frameByteCount, code) = outgoing.write(to: socket.descriptor)
        if frameByteCount > 0 { lastActivity = .now() }
        switch code {
        case 0:
            if isFinishing, !hasShutDown {
                hasShutDown = true
                shutdown(socket.descriptor, Int32(SHUT_WR))
            }
        case EAGAIN: break
        default:
            // Told by the loop, so that no handler runs inside a call to send.
            loop.schedule(at: .now()) { [weak self] in self?.close(telling: .failed(code)) }
            return
        }
        updateInterest()
    }

    private func updateInterest() {
        guard let registration else { return }
        var wanted: EventLoop.Interest = []
        if isReading { wanted.insert(.read) }
        if !outgoing.isEmpty { wanted.insert(.write) }
        guard wanted != interest else { return }
        interest = wanted
        loop.setInterest(wanted, of: registration)
    }
}
