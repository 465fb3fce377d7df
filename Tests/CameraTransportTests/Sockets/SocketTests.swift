import CameraTransport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SocketTests {
    /// Connects on the loop's thread and waits for the outcome.
    private func connect(to endpoint: Endpoint, timeLimit: UInt64 = 5_000_000_000) async throws
        -> Result<Socket, Connector.Failure>
    {
        let loop = try EventLoop.shared()
        return await withCheckedContinuation { continuation in
            loop.execute {
                var connector: Connector?
                connector = Connector(loop: loop, timeLimit: timeLimit) { result in
                    continuation.resume(returning: result)
                    withExtendedLifetime(connector) { connector = nil }
                }
                connector?.start(endpoint)
            }
        }
    }

    private func listen(_ host: String = "127.0.0.1") throws -> (Socket, UInt16) {
        let address = try #require(try SocketAddress.resolve(host: host, port: 0, isPassive: true).first)
        let listener = try Socket.listen(on: address)
        return (listener, try #require(listener.localAddress).port)
    }

    @Test func tcpSocketsAreQuickAndWatched() async throws {
        let (listener, port) = try listen()
        let client = try await connect(to: .tcp(host: "127.0.0.1", port: port)).get()
        let server = try #require(try listener.accept())
        for socket in [client, server] {
            #expect(socket.option(Int32(IPPROTO_TCP), TCP_NODELAY) != 0)
            #expect(socket.option(SOL_SOCKET, SO_KEEPALIVE) != 0)
            #expect(socket.option(Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 2)
            #expect(socket.option(Int32(IPPROTO_TCP), TCP_KEEPINTVL) == 1)
            #expect(socket.option(Int32(IPPROTO_TCP), TCP_KEEPCNT) == 3)
            #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
            #expect(!socket.isPeerSilent(forMilliseconds: 0))
        }
        #expect(try listener.accept() == nil)
    }

    @Test func theSecondAddressIsTriedWhenTheFirstRefuses() async throws {
        // The name stands for ::1 and 127.0.0.1; the server listens on one of them.
        let (listener, port) = try listen()
        let socket = try await connect(to: .tcp(host: "localhost", port: port)).get()
        #expect(socket.peerAddress?.port == port)
        withExtendedLifetime(listener) {}
    }

    @Test func aSocketFileIsAnAddress() async throws {
        let path = NSTemporaryDirectory() + "camstream-\(UUID().uuidString.prefix(8))"
        defer { unlink(path) }
        let listener = try Socket.listen(on: SocketAddress(path: path))
        _ = try await connect(to: .unix(path: path)).get()
        #expect(try listener.accept() != nil)
    }

    @Test func nobodyListens() async throws {
        var (listener, port): (Socket?, UInt16) = try listen()
        withExtendedLifetime(listener) { listener = nil }
        for endpoint in [Endpoint.tcp(host: "127.0.0.1", port: port), .unix(path: "/nonexistent/socket")] {
            guard case .failure(.unreachable(let error)) = try await connect(to: endpoint) else {
                Issue.record("connected to nobody")
                return
            }
            #expect([ECONNREFUSED, ENOENT].contains(error.code))
        }
    }

    @Test func anAddressThatIsSilentTimesOut() async throws {
        // A listener whose backlog is full answers nobody.
        let address = try #require(try SocketAddress.resolve(host: "127.0.0.1", port: 0, isPassive: true).first)
        let listener = try Socket.listen(on: address)
        Foundation.listen(listener.descriptor, 0)
        let port = try #require(listener.localAddress).port
        var waiting: [Socket] = []
        var failure: Connector.Failure?
        for _ in 0..<4 {
            switch try await connect(to: .tcp(host: "127.0.0.1", port: port), timeLimit: 50_000_000) {
            case .success(let socket): waiting.append(socket)
            case .failure(let error): failure = error
            }
        }
        guard case .unreachable(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == ETIMEDOUT)
    }

    @Test func aTakenPortIsRefused() throws {
        let (listener, _) = try listen()
        let address = try #require(listener.localAddress)
        let error = #expect(throws: SocketError.self) { try Socket.listen(on: address) }
        #expect(error?.code == EADDRINUSE)
    }
}
