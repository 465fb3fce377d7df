import CLinux
import Foundation

/// An address that a socket can be bound or connected to.
package struct SocketAddress: Sendable {
    fileprivate var storage: sockaddr_storage
    fileprivate var length: socklen_t

    fileprivate init(storage: sockaddr_storage, length: socklen_t) {
        self.storage = storage
        self.length = length
    }

    /// The address of a socket file.
    package init(path: String) throws(SocketError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard bytes.count < field.count else { return false }
            field.copyBytes(from: bytes)
            return true
        }
        guard fits else { throw SocketError(operation: "socket", subject: path, code: ENAMETOOLONG) }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { target in
            withUnsafeBytes(of: &address) { target.copyMemory(from: $0) }
        }
        self.init(storage: storage, length: socklen_t(MemoryLayout<sockaddr_un>.size))
    }

    /// Looks a host name or a written address up; blocks.
    ///
    /// - Parameter isPassive: Whether the address is to be bound to.
    package static func resolve(
        host: String?, port: UInt16, isPassive: Bool = false
    ) throws(SocketError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = isPassive ? AI_PASSIVE : 0
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard result == 0 else {
            // A name that exists without an address is as unknown as one that does not exist.
            let noData: Int32 = -5
            throw SocketError(
                operation: "resolve", subject: host ?? "*",
                reason: result == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(result)),
                isUnknownHost: result == EAI_NONAME || result == noData)
        }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                var storage = sockaddr_storage()
                memcpy(&storage, address, min(Int(entry.ai_addrlen), MemoryLayout<sockaddr_storage>.size))
                addresses.append(SocketAddress(storage: storage, length: entry.ai_addrlen))
            }
            next = entry.ai_next
        }
        return addresses
    }

    /// `AF_INET`, `AF_INET6` or `AF_UNIX`.
    package var family: Int32 { Int32(storage.ss_family) }

    /// The TCP port; 0 for socket files.
    package var port: UInt16 {
        switch family {
        case AF_INET: withBytes { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
        case AF_INET6: withBytes { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
        default: 0
        }
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: storage, body)
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The local or remote address of a socket; `nil` if it has none.
    static func read(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        return result == 0 ? SocketAddress(storage: storage, length: length) : nil
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:9000`, `[::1]:9000` or a path.
    package var description: String {
        if family == AF_UNIX {
            return withBytes { bytes in
                "unix:" + String(decoding: bytes.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        var host = [CChar](repeating: 0, count: 64)
        let result = withPointer { getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) }
        let text = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard result == 0 else { return "?" }
        return family == AF_INET6 ? "[\(text)]:\(port)" : "\(text):\(port)"
    }
}
