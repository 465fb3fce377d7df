import CameraMedia
import CameraProtocol
import Foundation

/// Takes bytes from a socket and turns them into messages and frames; a frame's payload goes straight into a block of
/// the pool.
struct ReceiveBuffer: ~Copyable {
    enum Event {
        case preamble(Preamble)
        case message(Message, StreamID)
        /// The payload is `nil` when the pool had no block left: it was read and thrown away.
        case frame(FrameMetadata, StreamID, SharedBytes?)
    }

    enum ReadResult {
        case bytes(Int)
        case wouldBlock
        case endOfStream
        case failed(Int32)
    }

    /// A frame whose payload is being read.
    private struct Payload {
        let metadata: FrameMetadata
        let stream: StreamID
        let byteCount: Int
        let block: MemoryBlock?
        var received = 0
    }

    var parser: MessageParser
    private let pool: MemoryPool
    private let staging = UnsafeMutableRawBufferPointer.allocate(
        byteCount: MessageParser.stagingByteCount, alignment: 16)
    private var start = 0
    private var end = 0
    private var payload: Payload?

    /// Whether the next read goes into a frame's payload.
    var isReadingPayload: Bool { payload?.block != nil }

    init(receiver: Side, maximumFrameByteCount: Int, pool: MemoryPool) {
        parser = MessageParser(receiver: receiver, maximumFrameByteCount: maximumFrameByteCount)
        self.pool = pool
    }

    deinit {
        staging.deallocate()
    }

    /// One read from the socket.
    mutating func read(from descriptor: Int32) -> ReadResult {
        let count: Int
        if var payload, let block = payload.block {
            count = recv(descriptor, block.base + payload.received, payload.byteCount - payload.received, 0)
            if count > 0 {
                payload.received += count
                self.payload = payload
            }
        } else {
            if start > 0 {
                let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(staging)[start..<end])
                staging.copyMemory(from: rest)
                end -= start
                start = 0
            }
            // Small reads at message boundaries, so that most of a payload is read in its place.
            let room = min(staging.count - end, max(16_384 - end, 4_096))
            count = recv(descriptor, staging.baseAddress?.advanced(by: end), room, 0)
            if count > 0 { end += count }
        }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        switch errno {
        case EAGAIN, EINTR: return .wouldBlock
        default: return .failed(errno)
        }
    }

    /// The next message or frame of what was read; `nil` when more has to be read.
    mutating func next() throws(ProtocolError) -> Event? {
        if let event = takePayload() { return event }
        guard payload == nil else { return nil }
        var offset = 0
        let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(staging)[start..<end])
        let event = try parser.next(in: bytes.bytes, at: &offset)
        start += offset
        switch event {
        case nil: return nil
        case .preamble(let preamble): return .preamble(preamble)
        case .message(let message, let stream): return .message(message, stream)
        case .frame(let metadata, let stream, let byteCount):
            payload = Payload(
                metadata: metadata, stream: stream, byteCount: byteCount, block: pool.makeBlock(byteCount: byteCount))
            return takePayload()
        }
    }

    /// Throws away what was read and not parsed.
    mutating func discard() {
        payload = nil
        start = 0
        end = 0
    }

    /// Moves what is staged into the payload under way, and hands that out once it is whole.
    private mutating func takePayload() -> Event? {
        guard var payload else { return nil }
        let count = min(end - start, payload.byteCount - payload.received)
        if count > 0, let source = staging.baseAddress?.advanced(by: start) {
            payload.block?.base.advanced(by: payload.received).copyMemory(from: source, byteCount: count)
            start += count
            payload.received += count
        }
        guard payload.received == payload.byteCount else {
            self.payload = payload
            return nil
        }
        self.payload = nil
        let bytes = payload.block.map { SharedBytes(block: $0, count: payload.byteCount) }
        return .frame(payload.metadata, payload.stream, bytes)
    }
}
