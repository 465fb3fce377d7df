import CameraMedia
import CameraProtocol
import Foundation

/// What waits to be written to a connection, and the message under way.
///
/// Connection messages overtake everything but the message under way; messages of streams and frames keep their order.
struct SendQueue {
    private enum Item {
        case message([UInt8])
        case frame(FrameMetadata, StreamID, SharedBytes)
    }

    /// A message of which some bytes may be written already.
    private struct Current {
        var head: [UInt8]
        var payload: SharedBytes?
        var written = 0

        var byteCount: Int { head.count + (payload?.count ?? 0) }
    }

    private var urgent: [UInt8] = []
    private var items: [Item] = []
    private var firstItem = 0
    private var current: Current?
    /// The bytes of messages that wait, frames left out: these are bounded by credit already.
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

    mutating func append(_ metadata: FrameMetadata, stream: StreamID, payload: SharedBytes) {
        frameCount += 1
        items.append(.frame(metadata, stream, payload))
    }

    /// Writes until all is written or the socket takes no more.
    ///
    /// - Returns: How many bytes were written, and the `errno` that stopped it, `EAGAIN` included; 0 if all is written.
    mutating func write(to descriptor: Int32) -> (byteCount: Int, code: Int32) {
        var total = 0
        while prepareCurrent() {
            let count = writeCurrent(to: descriptor)
            guard count >= 0 else {
                if errno == EINTR { continue }
                return (total, errno)
            }
            total += count
            advance(by: count)
        }
        return (total, 0)
    }

    private mutating func prepareCurrent() -> Bool {
        if current != nil { return true }
        if !urgent.isEmpty {
            current = Current(head: urgent, payload: nil)
            urgent = []
            return true
        }
        guard firstItem < items.count else {
            items.removeAll(keepingCapacity: true)
            firstItem = 0
            return false
        }
        switch items[firstItem] {
        case .message(let bytes): current = Current(head: bytes, payload: nil)
        case .frame(var metadata, let stream, let payload):
            metadata.stages.sent = HostTime.now().nanoseconds
            let head = metadata.encoded(stream: stream, payloadByteCount: payload.count)
            current = Current(head: head, payload: payload)
        }
        // The payload must not be kept alive by a place in the queue that is done with.
        items[firstItem] = .message([])
        firstItem += 1
        if firstItem > 64 {
            items.removeFirst(firstItem)
            firstItem = 0
        }
        return true
    }

    private func writeCurrent(to descriptor: Int32) -> Int {
        guard let current else { return 0 }
        return current.head.withUnsafeBytes { head in
            guard let payload = current.payload else {
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
        if next.payload == nil { messageByteCount -= next.byteCount } else { frameCount -= 1 }
        current = nil
    }
}
