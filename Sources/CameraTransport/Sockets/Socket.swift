import CLinux
import Foundation

/// A non-blocking stream socket; closes with its last reference.
package final class Socket: Sendable {
    /// The descriptor, valid as long as the socket lives.
    package let descriptor: Int32
    private let isTCP: Bool

    private init(descriptor: Int32, isTCP: Bool) {
        self.descriptor = descriptor
        self.isTCP = isTCP
    }

    deinit {
        close(descriptor)
    }

    private static func open(for address: SocketAddress, operation: String) throws(SocketError) -> Socket {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else {
            throw SocketError(operation: operation, subject: "\(address)", code: errno)
        }
        return Socket(descriptor: descriptor, isTCP: address.family != AF_UNIX)
    }

    /// Binds and listens; IPv6 sockets leave IPv4 to others.
    package static func listen(on address: SocketAddress) throws(SocketError) -> Socket {
        let socket = try open(for: address, operation: "listen")
        if socket.isTCP { socket.set(SOL_SOCKET, SO_REUSEADDR, 1) }
        if address.family == AF_INET6 { socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard address.withPointer({ bind(socket.descriptor, $0, $1) }) == 0,
            Foundation.listen(socket.descriptor, SOMAXCONN) == 0
        else { throw SocketError(operation: "bind", subject: "\(address)", code: errno) }
        return socket
    }

    /// Begins to connect; the socket is writable when that is decided, and ``connectResult()`` says how.
    package static func connect(to address: SocketAddress) throws(SocketError) -> Socket {
        let socket = try open(for: address, operation: "connect")
        socket.prepare()
        let result = address.withPointer { Foundation.connect(socket.descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            throw SocketError(operation: "connect", subject: "\(address)", code: errno)
        }
        return socket
    }

    /// How a connection attempt ended: 0, or the `errno`.
    package func connectResult() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    /// Takes the next waiting connection.
    ///
    /// - Returns: `nil` if none waits.
    /// - Throws: ``SocketError`` when descriptors or memory are out.
    package func accept() throws(SocketError) -> Socket? {
        while true {
            let accepted = clinux_accept(descriptor)
            if accepted >= 0 {
                let socket = Socket(descriptor: accepted, isTCP: isTCP)
                socket.prepare()
                return socket
            }
            switch errno {
            case EAGAIN: return nil
            // The connection died while it waited: the next one may be fine (accept(2)).
            case EINTR, ECONNABORTED, EPROTO: continue
            default:
                throw SocketError(operation: "accept", subject: localAddress.map { "\($0)" } ?? "?", code: errno)
            }
        }
    }

    /// A connected pair, for tests.
    package static func pair() throws(SocketError) -> (Socket, Socket) {
        var descriptors: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
            throw SocketError(operation: "socketpair", subject: "unix", code: errno)
        }
        return (Socket(descriptor: descriptors[0], isTCP: false), Socket(descriptor: descriptors[1], isTCP: false))
    }

    /// The address at this end.
    package var localAddress: SocketAddress? { SocketAddress.read { getsockname(descriptor, $0, $1) } }

    /// The address at the other end.
    package var peerAddress: SocketAddress? { SocketAddress.read { getpeername(descriptor, $0, $1) } }

    /// Small messages go at once; a peer whose kernel is silent while idle is found after 2 + 3 × 1 seconds.
    private func prepare() {
        guard isTCP else { return }
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 2)
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 1)
        set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// An option's value, for tests.
    package func option(_ level: Int32, _ option: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, level, option, &value, &length) == 0 ? value : nil
    }

    /// Whether the peer's kernel left data unacknowledged for `milliseconds` although its window is open.
    ///
    /// A peer that is merely stopped acknowledges window probes, so it does not count.
    package func isPeerSilent(forMilliseconds milliseconds: UInt32) -> Bool {
        guard isTCP else { return false }
        var info = clinux_tcp_info()
        guard clinux_tcp_info(descriptor, &info) == 0 else { return false }
        return info.unacknowledged_segments > 0 && info.send_window > 0
            && info.milliseconds_since_acknowledgement >= milliseconds
    }
}
