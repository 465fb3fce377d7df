import Foundation

/// Something that listens on a free port of the loopback network, and is no camserver.
final class LoopbackListener: Sendable {
    /// Where it listens.
    let port: UInt16
    private let descriptor: Int32

    /// Listens, and says the same to everyone who connects.
    init(greeting: [UInt8]) throws {
        let listener = try openSocket()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withSocketAddress(&address) { try check(bind(listener, $0, length)) }
        try check(listen(listener, 8))
        try withSocketAddress(&address) { try check(getsockname(listener, $0, &length)) }
        port = UInt16(bigEndian: address.sin_port)
        descriptor = listener
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                _ = send(connection, greeting, greeting.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
            close(listener)
        }
    }

    // Ends the thread, which then closes the socket.
    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A connection whose other side sends and sends, and is never read.
final class DeafConnection: Sendable {
    private let descriptor: Int32

    /// Connects to a port of the loopback network.
    init(port: UInt16) throws {
        descriptor = try openSocket()
        var address = loopback(port: port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withSocketAddress(&address) { try check(connect(descriptor, $0, length)) }
    }

    deinit { close(descriptor) }

    /// How many bytes wait to be read, at most what the kernel's buffer for them holds.
    var unreadByteCount: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Sends what the other side takes without waiting.
    ///
    /// - Returns: How many bytes it took; 0 once it has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        max(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)), 0)
    }
}

private func openSocket() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try check(descriptor)
    return descriptor
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    address.sin_port = port.bigEndian
    return address
}

private func withSocketAddress(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) throws -> Void
) rethrows {
    try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
}

private func check(_ result: Int32) throws {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
