import CameraMedia
import CameraProtocol
import Foundation

/// What waits to be written to a connection, and the message under way.
///
/// Connection messages overtake everything but the message under way; messages of streams and frames keep their order.
struct SendQueue {
    fileprivate struct Frame {
        var metadata: FrameMetadata
        let stream: StreamID
        var payload: SharedBytes
        /// Whether the payload is the source's own memory, which others wait for.
        var isBorrowed: Bool
    }

    private enum Item {
        case message([UInt8])
        case frame(Frame)
    }

    /// A message of which some bytes may be written already.
    private struct Current {
        var head: [UInt8]
        var frame: Frame?
        var written = 0

        var byteCount: Int { head.count + (frame?.payload.count ?? 0) }
    }

    private var urgent: [UInt8] = []
    private var items: [Item] = []
    private var firstItem = 0
    private var current: Current?
    /// The bytes of messages that wait, frames left out: their number is bounded by whoever sends them.
    private(set) var messageByteCount = 0
    /// The frames that wait or are under way.
    private(set) var frameCount = 0

    var isEmpty: Bool { current == nil && urgent.isEmpty && firstItem == items.count }

    mutating func append(_ message: [UInt8], isUrgent: Bool) {
        messageByteCount += message.count
        if isUrgent {
            urgent += message
        } else {
            items.append(.message(message))
        }
    }

    mutating func append(_ metadata: FrameMetadata, stream: StreamID, payload: SharedBytes, isBorrowed: Bool) {
        frameCount += 1
        items.append(.frame(Frame(metadata: metadata, stream: stream, payload: payload, isBorrowed: isBorrowed)))
    }

    /// Copies payloads that are the source's own memory, so that a connection that stands still holds none of it.
    mutating func copyBorrowedPayloads() {
        current?.frame?.copyPayload()
        for index in items.indices.dropFirst(firstItem) {
            guard case .frame(var frame) = items[index], frame.isBorrowed else { continue }
            frame.copyPayload()
            items[index] = .frame(frame)
        }
    }

    /// Writes until all is written or the socket takes no more.
    ///
    /// - Returns: How many bytes of frames were written, and the `errno` that stopped it, `EAGAIN` included; 0 if all
    ///   is written.
    mutating func write(to descriptor: Int32) -> (frameByteCount: Int, code: Int32) {
        var total = 0
        while prepareCurrent() {
            let count = writeCurrent(to: descriptor)
            guard count >= 0 else {
                if errno == EINTR { continue }
                return (total, errno)
            }
            if current?.frame != nil { total += count }
            advance(by: count)
        }
        return (total, 0)
    }

    private mutating func prepareCurrent() -> Bool {
        if current == nil { takeNext() }
        guard current != nil else { return false }
        if let frame = current?.frame, current?.written == 0 {
            var metadata = frame.metadata
            metadata.stages.sent = HostTime.now().nanoseconds
            current?.head = metadata.encoded(stream: frame.stream, payloadByteCount: frame.payload.count)
        }
        return true
    }

    private mutating func takeNext() {
        if !urgent.isEmpty {
            current = Current(head: urgent)
            urgent = []
            return
        }
        guard firstItem < items.count else {
            items.removeAll(keepingCapacity: true)
            firstItem = 0
            return
        }
        switch items[firstItem] {
        case .message(let bytes): current = Current(head: bytes)
        case .frame(let frame): current = Current(head: [], frame: frame)
        }
        // The payload must not be kept alive by a place in the queue that is done with.
        items[firstItem] = .message([])
        firstItem += 1
        if firstItem > 64 {
            items.removeFirst(firstItem)
            firstItem = 0
        }
    }

    private func writeCurrent(to descriptor: Int32) -> Int {
        guard let current else { return 0 }
        return current.head.withUnsafeBytes { head in
            guard let payload = current.frame?.payload else {
                return send(
                    descriptor, head.baseAddress?.advanced(by: current.written), head.count - current.written,
                    Int32(MSG_NOSIGNAL))
            }
            return payload.withUnsafeBytes { payload in
                let headLeft = max(head.count - current.written, 0)
                let payloadStart = max(current.written - head.count, 0)
                var vectors = [
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: head.baseAddress)?
                            .advanced(by: head.count - headLeft), iov_len: headLeft),
                    iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: payload.baseAddress)?.advanced(by: payloadStart),
                        iov_len: payload.count - payloadStart),
                ]
                return vectors.withUnsafeMutableBufferPointer { vectors in
                    var message = msghdr()
                    message.msg_iov = vectors.baseAddress
                    message.msg_iovlen = vectors.count
                    return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    private mutating func advance(by count: Int) {
        guard var next = current else { return }
        next.written += count
        guard next.written == next.byteCount else {
            current = next
            return
        }
        if next.frame == nil { messageByteCount -= next.byteCount } else { frameCount -= 1 }
        current = nil
    }
}

extension SendQueue.Frame {
    fileprivate mutating func copyPayload() {
        guard isBorrowed else { return }
        payload = payload.copied()
        isBorrowed = false
    }
}
