import CameraClient
import Testing

/// Changes of what is asked of the server.
@Suite(.timeLimit(.minutes(1)))
struct UpdateTests {
    private static let crop = PixelRectangle(x: 1, y: 0, size: PixelSize(width: 1, height: 1))

    @Test func whatTheServerRefusesIsTakenBack() async throws {
        let server = try await TestServer.start()
        var options = RemoteCameraOptions()
        options.pacing = .streaming
        let camera = try RemoteCamera(server.endpoint, request: StreamRequest(quality: 60), options: options)
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        let grant = Task { try await camera.update { $0.crop = Self.crop } }
        let update = try await peer.expect { if case .update(let request) = $0 { request } else { nil } }
        #expect(update == StreamRequest(crop: Self.crop, quality: 60))
        await peer.send(
            .error(Failure(code: .invalidRequest, closesConnection: false, text: "outside\u{1b}[31m")), stream: 1)
        let error = await #expect(throws: RemoteCameraError.self) { try await grant.value }
        #expect(error?.code == .refused)
        #expect(error?.reason == "outside?[31m")
        #expect(camera.request == StreamRequest(quality: 60))
        // The stream is opened anew as it was.
        let subscribe = try await peer.expect { if case .subscribe(let subscribe) = $0 { subscribe } else { nil } }
        #expect(subscribe.request == StreamRequest(quality: 60))
        await peer.send(epoch: 1, sequence: 0)
        #expect(try await camera.next().sequence == 0)
        await server.stop()
    }

    @Test func aChangeWithoutAConnectionIsAskedForLater() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: StreamRequest())
        let peer = try await server.nextPeer()
        try await peer.expect { if case .hello = $0 { () } else { nil } }
        let error = await #expect(throws: RemoteCameraError.self) {
            try await camera.update(timeout: .milliseconds(1)) { $0.quality = 10 }
        }
        #expect(error?.code == .timedOut)
        let cancelled = Task { try await camera.update { $0.preset = .low } }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await peer.kill()
        async let grant = camera.update { $0.frameRateCap = FrameRate(15) }
        let again = try await server.nextPeer()
        let subscribe = try await again.serve()
        #expect(subscribe.request.quality == 10)
        #expect(subscribe.request.preset == .low)
        // Posted at about the time of the subscription: in it, or behind it.
        if subscribe.request.frameRateCap == nil {
            try await again.expect { if case .update = $0 { () } else { nil } }
        }
        _ = try await grant
        #expect(camera.request == StreamRequest(preset: .low, frameRateCap: FrameRate(15), quality: 10))
        camera.close()
        await #expect(throws: RemoteCameraError.self) { try await camera.update { $0.quality = 1 } }
        await server.stop()
    }
}
