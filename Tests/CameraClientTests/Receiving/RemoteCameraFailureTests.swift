import CameraClient
import Foundation
import Testing

/// What a consumer is told when there are no frames, and what is not its concern.
@Suite(.timeLimit(.minutes(1)))
struct RemoteCameraFailureTests {
    private static var impatient: RemoteCameraOptions {
        var options = RemoteCameraOptions()
        options.reconnects = false
        options.content = .encoded
        return options
    }

    private func code(of camera: RemoteCamera, timeout: Duration? = nil) async -> RemoteCameraError.Code? {
        let error = await #expect(throws: RemoteCameraError.self) { try await camera.next(timeout: timeout) }
        return error?.code
    }

    /// A port that nobody listens on.
    private func freeEndpoint() async throws -> Endpoint {
        let server = try await TestServer.start()
        await server.stop()
        return server.endpoint
    }

    @Test func nobodyListens() async throws {
        let camera = try RemoteCamera(try await freeEndpoint(), request: StreamRequest(), options: Self.impatient)
        #expect(await code(of: camera) == .unreachable)
        guard case .ended(let error) = camera.state else {
            Issue.record("\(camera.state)")
            return
        }
        #expect(error.code == .unreachable)
        // Asking again says the same.
        #expect(await code(of: camera) == .unreachable)
    }

    @Test func unknownHostIsTheEndAtOnce() async throws {
        let camera = try RemoteCamera("no-such-host.invalid", request: StreamRequest())
        let code = await code(of: camera, timeout: .seconds(20))
        // Where no resolver answers at all, it is tried again until the time is over.
        #expect(code == .unknownHost || code == .timedOut)
        #expect(throws: RemoteCameraError.self) { try RemoteCamera("not an address", request: StreamRequest()) }
    }

    @Test func aServerThatComesLaterIsFound() async throws {
        let endpoint = try await freeEndpoint()
        guard case .tcp(_, let port) = endpoint else { return }
        let camera = try RemoteCamera(endpoint, request: StreamRequest(delivery: .ordered(depth: 8)))
        for await state in camera.states {
            if case .reconnecting(_, let cause) = state {
                #expect(cause.code == .unreachable)
                break
            }
        }
        let server = try await TestServer.start(port: port)
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(epoch: 1, sequence: 0)
        #expect(try await camera.next().sequence == 0)
        await server.stop()
    }

    @Test func aWaitCanTimeOutAndTheCameraGoesOn() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: StreamRequest())
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        #expect(await code(of: camera, timeout: .milliseconds(1)) == .timedOut)
        async let frame = camera.next()
        await peer.waitForCredit(1)
        await peer.send(epoch: 1, sequence: 0)
        #expect(try await frame.sequence == 0)
        await server.stop()
    }

    @Test func aWaitCanBeCancelled() async throws {
        let camera = try RemoteCamera(try await freeEndpoint(), request: StreamRequest())
        let waiting = Task { try await camera.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let cancelled = Task {
            try? await Task.sleep(for: .seconds(60))
            return try await camera.next()
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test func closingEndsAllWaits() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: StreamRequest())
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        async let first = code(of: camera)
        async let second = code(of: camera)
        camera.close()
        #expect(await [first, second] == [.closed, .closed])
        try await peer.expect { if case .bye = $0 { () } else { nil } }
        await peer.waitForClose()
        await server.stop()
    }

    @Test func theServerLearnsWhenTheLastReferenceGoes() async throws {
        let server = try await TestServer.start()
        var camera: RemoteCamera? = try RemoteCamera(server.endpoint, request: StreamRequest())
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        #expect(camera != nil)
        camera = nil
        try await peer.expect { if case .bye = $0 { () } else { nil } }
        await server.stop()
    }

    @Test(arguments: [
        (ErrorCode.unknownCamera, RemoteCameraError.Code.unknownCamera), (.invalidRequest, .refused),
        (.unsupportedCodec, .refused), (.notPermitted, .notPermitted),
    ])
    func theServerRefuses(code sent: ErrorCode, expected: RemoteCameraError.Code) async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, camera: "door", request: StreamRequest())
        let peer = try await server.nextPeer()
        try await peer.expect { if case .hello = $0 { () } else { nil } }
        await peer.send(
            .welcome(Welcome(name: "test", maximumFrameByteCount: 1 << 20, codecs: [.raw], cameras: [])))
        let subscribe = try await peer.expect { if case .subscribe(let subscribe) = $0 { subscribe } else { nil } }
        #expect(subscribe.camera == "door")
        await peer.send(.error(Failure(code: sent, closesConnection: false, text: "no")), stream: 1)
        let error = await #expect(throws: RemoteCameraError.self) { try await camera.next() }
        #expect(error?.code == expected)
        #expect(error?.reason == "no")
        await server.stop()
    }

    @Test func goodbyeWithoutReconnectionIsTheEnd() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: StreamRequest(), options: Self.impatient)
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(.bye(Bye(code: .shuttingDown)))
        #expect(await code(of: camera) == .disconnected)
        await server.stop()
    }

    @Test func listsTheCameras() async throws {
        let server = try await TestServer.start()
        async let cameras = RemoteCamera.cameras(of: server.endpoint)
        let peer = try await server.nextPeer()
        try await peer.expect { if case .hello = $0 { () } else { nil } }
        let description = CameraDescription(
            name: "door", localizedName: "Front door", state: .idle, reason: .none,
            size: PixelSize(width: 0, height: 0), frameRate: nil)
        await peer.send(
            .welcome(Welcome(name: "test", maximumFrameByteCount: 1 << 20, codecs: [.raw], cameras: [description])))
        #expect(try await cameras == [description])
        await server.stop()
    }
}
