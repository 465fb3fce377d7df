import CameraMedia
import CameraProtocol
import Dispatch
import Foundation

/// Finds the addresses of an endpoint and connects to the first that answers.
///
/// Belongs to the event loop's thread. Addresses are tried in the resolver's order; each gets a head start before the
/// next is tried beside it (RFC 8305, in small), and the first connection wins.
package final class Connector {
    /// Why no connection came about.
    package enum Failure: Error, Sendable, Hashable {
        /// The host's name does not exist.
        case unknownHost(SocketError)
        /// The resolver could not tell; it may later.
        case resolver(SocketError)
        /// No address answered; the error of the first, `ETIMEDOUT` if it was silent.
        case unreachable(SocketError)
    }

    /// The head start of an address: 250 ms, as RFC 8305 recommends.
    private static let headStart: UInt64 = 250_000_000
    /// Where names are looked up: `getaddrinfo` blocks, sometimes for many seconds.
    private static let resolver = DispatchQueue(label: "camstream.resolver", attributes: .concurrent)

    /// A connection under way.
    private struct Attempt {
        let address: SocketAddress
        let socket: Socket
        let registration: EventLoop.Registration
        let limit: TimerQueue.ID
    }

    private let loop: EventLoop
    private let timeLimit: UInt64
    private var completion: ((Result<Socket, Failure>) -> Void)?
    private var untried: ArraySlice<SocketAddress> = []
    private var attempts: [Int: Attempt] = [:]
    private var nextAttempt = 0
    private var headStartTimer: TimerQueue.ID?
    private var firstError: SocketError?

    /// Creates a connector that is idle until ``start(_:)``.
    ///
    /// - Parameters:
    ///   - timeLimit: How long one address may take to answer, in nanoseconds.
    ///   - completion: Called once on the loop's thread, unless ``cancel()`` came first.
    package init(
        loop: EventLoop, timeLimit: UInt64 = 5_000_000_000, completion: @escaping (Result<Socket, Failure>) -> Void
    ) {
        self.loop = loop
        self.timeLimit = timeLimit
        self.completion = completion
    }

    /// Begins; returns at once.
    package func start(_ endpoint: Endpoint) {
        switch endpoint {
        case .unix(let path):
            do throws(SocketError) {
                untried = [try SocketAddress(path: path)]
                tryNext()
            } catch {
                complete(.failure(.unreachable(error)))
            }
        case .tcp(let host, let port):
            let reply = Reply(self)
            Self.resolver.async { [loop] in
                let result = Result { () throws(SocketError) in try SocketAddress.resolve(host: host, port: port) }
                loop.execute { reply.deliver(result) }
            }
        }
    }

    /// Gives up; the completion is not called.
    package func cancel() {
        completion = nil
        stop()
    }

    /// Carries the connector past the resolver's thread, which never touches it.
    private final class Reply: @unchecked Sendable {
        // Read on the loop's thread only.
        private weak var connector: Connector?

        init(_ connector: Connector) {
            self.connector = connector
        }

        func deliver(_ result: Result<[SocketAddress], SocketError>) {
            connector?.resolved(result)
        }
    }

    private func resolved(_ result: Result<[SocketAddress], SocketError>) {
        guard completion != nil else { return }
        switch result {
        case .success(let addresses):
            untried = addresses[...]
            tryNext()
        case .failure(let error):
            complete(.failure(error.isUnknownHost ? .unknownHost(error) : .resolver(error)))
        }
    }

    private func tryNext() {
        if let timer = headStartTimer { loop.cancel(timer) }
        headStartTimer = nil
        while completion != nil, let address = untried.popFirst() {
            do throws(SocketError) {
                try attempt(address)
                guard !untried.isEmpty else { return }
                headStartTimer = loop.schedule(at: HostTime.now().advanced(by: Self.headStart)) { [weak self] in
                    self?.tryNext()
                }
                return
            } catch {
                firstError = firstError ?? error
            }
        }
        guard attempts.isEmpty, let error = firstError else { return }
        complete(.failure(.unreachable(error)))
    }

    private func attempt(_ address: SocketAddress) throws(SocketError) {
        let socket = try Socket.connect(to: address)
        let number = nextAttempt
        nextAttempt += 1
        let registration = try loop.register(socket.descriptor, for: .write) { [weak self] _ in
            self?.decided(number)
        }
        let limit = loop.schedule(at: HostTime.now().advanced(by: timeLimit)) { [weak self] in
            self?.failed(number, code: ETIMEDOUT)
        }
        attempts[number] = Attempt(address: address, socket: socket, registration: registration, limit: limit)
    }

    private func decided(_ number: Int) {
        guard let attempt = attempts[number] else { return }
        let code = attempt.socket.connectResult()
        guard code == 0 else { return failed(number, code: code) }
        // A local port that nobody listens on may be connected to itself (TCP's simultaneous open).
        if attempt.address.family != AF_UNIX, let peer = attempt.socket.peerAddress,
            let local = attempt.socket.localAddress, peer.description == local.description
        {
            return failed(number, code: ECONNREFUSED)
        }
        forget(number)
        complete(.success(attempt.socket))
    }

    private func failed(_ number: Int, code: Int32) {
        guard let attempt = forget(number) else { return }
        let error = SocketError(operation: "connect", subject: "\(attempt.address)", code: code)
        firstError = firstError ?? error
        tryNext()
    }

    @discardableResult
    private func forget(_ number: Int) -> Attempt? {
        guard let attempt = attempts.removeValue(forKey: number) else { return nil }
        loop.unregister(attempt.registration)
        loop.cancel(attempt.limit)
        return attempt
    }

    private func complete(_ result: Result<Socket, Failure>) {
        let completion = self.completion
        self.completion = nil
        stop()
        completion?(result)
    }

    private func stop() {
        if let timer = headStartTimer { loop.cancel(timer) }
        headStartTimer = nil
        untried = []
        for number in Array(attempts.keys) { forget(number) }
    }
}
