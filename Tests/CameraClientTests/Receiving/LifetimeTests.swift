import Foundation
import Testing

@testable import CameraClient

/// What is left when a remote camera is let go.
@Suite(.timeLimit(.minutes(1)))
struct LifetimeTests {
    private struct Weak {
        weak var core: RemoteCameraCore?

        /// Waits until the core is freed.
        func waitUntilFreed() async throws {
            try await eventually { core == nil }
        }
    }

    private func freeEndpoint() async throws -> Endpoint {
        let server = try await TestServer.start()
        await server.stop()
        return server.endpoint
    }

    @Test func aCameraThatStreamsIsFreed() async throws {
        let server = try await TestServer.start()
        var options = RemoteCameraOptions()
        options.pacing = .streaming
        var camera: RemoteCamera? = try RemoteCamera(
            server.endpoint, request: StreamRequest(), options: options)
        let core = Weak(core: camera?.core)
        let states = try #require(camera?.states)
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(epoch: 1, sequence: 0)
        let frame = try await camera?.next()
        camera = nil
        try await peer.expect { if case .bye = $0 { () } else { nil } }
        await peer.waitForClose()
        for await _ in states {}
        try await core.waitUntilFreed()
        // A frame outlives its camera.
        #expect(frame?.pixelBuffer.withBaseAddress { Array($0) } == [0, 0, 0, 255])
        await server.stop()
    }

    @Test func aCameraThatReconnectsIsFreed() async throws {
        var camera: RemoteCamera? = try await RemoteCamera(try await freeEndpoint())
        let core = Weak(core: camera?.core)
        #expect(camera?.state != .connecting)
        camera = nil
        try await core.waitUntilFreed()
    }

    @Test func aCancelledLoopLetsItsCameraGo() async throws {
        let endpoint = try await freeEndpoint()
        let (started, begin) = AsyncStream.makeStream(of: Weak.self)
        let task = Task {
            let camera = try RemoteCamera(endpoint, request: StreamRequest())
            begin.yield(Weak(core: camera.core))
            for try await _ in camera.frames {}
        }
        let core = try #require(await started.first { _ in true })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await core.waitUntilFreed()
    }

    @Test func closingWhileReconnectingEndsEveryWait() async throws {
        let camera = try await RemoteCamera(try await freeEndpoint())
        let frame = Task { try await camera.next() }
        let snapshot = Task { try await camera.snapshot() }
        let grant = Task { try await camera.update { $0.quality = 5 } }
        camera.close()
        await #expect(throws: RemoteCameraError.self) { _ = try await frame.value }
        await #expect(throws: RemoteCameraError.self) { _ = try await snapshot.value }
        await #expect(throws: RemoteCameraError.self) { _ = try await grant.value }
    }
}
