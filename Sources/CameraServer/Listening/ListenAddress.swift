import CameraTransport
import Foundation

/// Opens the sockets that a server listens on.
enum ListenAddress {
    /// Listens on a TCP port of the given addresses, or of all interfaces, IPv6 and IPv4.
    ///
    /// Port 0 takes one that is free, the same on all addresses.
    static func listen(on hosts: [String], port: UInt16) throws(SocketError) -> [Socket] {
        // A free port of the first address may be taken at the second: another try takes another port.
        for _ in 0..<16 {
            do throws(SocketError) {
                return try listenOnce(on: hosts, port: port)
            } catch  where port == 0 && error.code == EADDRINUSE {
                continue
            }
        }
        return try listenOnce(on: hosts, port: port)
    }

    private static func listenOnce(on hosts: [String], port: UInt16) throws(SocketError) -> [Socket] {
        var sockets: [Socket] = []
        var port = port
        var unavailable: SocketError?
        for host in hosts.isEmpty ? ["::", "0.0.0.0"] : hosts {
            let countBefore = sockets.count
            for address in try SocketAddress.resolve(host: host, port: port, isPassive: true) {
                do throws(SocketError) {
                    let socket = try Socket.listen(on: address)
                    if port == 0 { port = socket.localAddress?.port ?? 0 }
                    sockets.append(socket)
                } catch let error where error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL {
                    // A machine without IPv6, or without IPv4: the host's other addresses may do.
                    unavailable = error
                }
            }
            if let unavailable, sockets.count == countBefore, !hosts.isEmpty { throw unavailable }
        }
        if sockets.isEmpty, let unavailable { throw unavailable }
        return sockets
    }

    /// Listens on a socket file; one that a server left behind is replaced, one that answers is not.
    static func listen(onPath path: String) throws(SocketError) -> Socket {
        let address = try SocketAddress(path: path)
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else {
                throw SocketError(operation: "bind", subject: path, code: EEXIST)
            }
            do throws(SocketError) {
                _ = try Socket.connect(to: address)
                throw SocketError(operation: "bind", subject: path, code: EADDRINUSE)
            } catch  where error.code == ECONNREFUSED {
                unlink(path)
            } catch  where error.operation == "connect" {
                throw SocketError(
                    operation: "bind", subject: path, code: error.code == EAGAIN ? EADDRINUSE : error.code)
            }
        }
        return try Socket.listen(on: address)
    }
}
