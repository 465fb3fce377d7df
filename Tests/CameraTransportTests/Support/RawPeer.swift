import CameraTransport
import Foundation

/// One end of a connection as bare bytes.
struct RawPeer: Sendable {
    let socket: Socket

    /// Writes bytes; waits while the other side takes none.
    func write(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                send(
                    socket.descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset,
                    Int32(MSG_NOSIGNAL))
            }
            if count > 0 { offset += count } else if errno == EAGAIN { wait(for: POLLOUT) } else { return }
        }
    }

    /// Writes as long as the other side takes something within `milliseconds`; how many bytes it took, at most `limit`.
    func flood(with bytes: [UInt8], limit: Int, patience milliseconds: Int32) -> Int {
        var total = 0
        while total < limit {
            let count = bytes.withUnsafeBytes { send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                total += count
            } else {
                var descriptor = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&descriptor, 1, milliseconds) == 0 { break }
            }
        }
        return total
    }

    /// Reads until `count` bytes came or the other side closed.
    func read(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while result.count < count {
            let received = recv(socket.descriptor, &buffer, min(buffer.count, count - result.count), 0)
            if received > 0 {
                result += buffer[..<received]
            } else if received < 0, errno == EAGAIN {
                wait(for: POLLIN)
            } else {
                break
            }
        }
        return result
    }

    private func wait(for events: Int32) {
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
        poll(&descriptor, 1, -1)
    }
}
