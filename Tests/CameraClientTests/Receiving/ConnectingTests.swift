import CameraClient
import Testing

/// Making a remote camera and waiting for how that goes.
@Suite(.timeLimit(.minutes(1)))
struct ConnectingTests {
    private func freeEndpoint() async throws -> Endpoint {
        let server = try await TestServer.start()
        await server.stop()
        return server.endpoint
    }

    @Test func returnsWithTheGrant() async throws {
        let server = try await TestServer.start()
        async let made = RemoteCamera("\(server.endpoint)", preset: .vga640x480, frameRate: FrameRate(15), quality: 60)
        let peer = try await server.nextPeer()
        let subscribe = try await peer.serve()
        #expect(
            subscribe.request == StreamRequest(preset: .vga640x480, frameRateCap: FrameRate(15), quality: 60))
        let camera = try await made
        guard case .streaming = camera.state else {
            Issue.record("\(camera.state)")
            return
        }
        await server.stop()
    }

    @Test func aServerThatIsNotThereYetIsNoError() async throws {
        let camera = try await RemoteCamera(try await freeEndpoint())
        guard case .reconnecting(_, let cause) = camera.state else {
            Issue.record("\(camera.state)")
            return
        }
        #expect(cause.code == .unreachable)
    }

    @Test func aServerThatIsSlowIsNoErrorEither() async throws {
        let server = try await TestServer.start()
        var options = RemoteCameraOptions()
        options.connectionTimeLimit = .milliseconds(20)
        let camera = try await RemoteCamera(server.endpoint, options: options)
        switch camera.state {
        case .connecting: break
        // On a busy machine, the first connection may have been given up by now.
        case .reconnecting(_, let cause): #expect([.timedOut, .unreachable].contains(cause.code))
        default: Issue.record("\(camera.state)")
        }
        options.reconnects = false
        let error = await #expect(throws: RemoteCameraError.self) {
            try await RemoteCamera(server.endpoint, options: options)
        }
        #expect(error?.code == .timedOut)
        await server.stop()
    }

    @Test func whatIsNoUseIsThrown() async throws {
        var options = RemoteCameraOptions()
        options.reconnects = false
        let endpoint = try await freeEndpoint()
        let unreachable = await #expect(throws: RemoteCameraError.self) {
            try await RemoteCamera(endpoint, options: options)
        }
        #expect(unreachable?.code == .unreachable)

        let server = try await TestServer.start()
        let made = Task { try await RemoteCamera(server.endpoint, camera: "door") }
        let peer = try await server.nextPeer()
        try await peer.expect { if case .hello = $0 { () } else { nil } }
        await peer.send(
            .welcome(Welcome(name: "test", maximumFrameByteCount: 1 << 20, codecs: [.raw], cameras: [])))
        await peer.send(.error(Failure(code: .unknownCamera, closesConnection: false, text: "")), stream: 1)
        let unknown = await #expect(throws: RemoteCameraError.self) { try await made.value }
        #expect(unknown?.code == .unknownCamera)
        await peer.waitForClose()
        await server.stop()
    }

    @Test func canBeCancelled() async throws {
        let server = try await TestServer.start()
        let task = Task { try await RemoteCamera(server.endpoint) }
        let peer = try await server.nextPeer()
        try await peer.expect { if case .hello = $0 { () } else { nil } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The camera was let go.
        await peer.waitForClose()
        await server.stop()
    }
}
