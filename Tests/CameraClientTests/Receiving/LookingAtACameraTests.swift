import CameraClient
import Testing

/// What a program sees of a remote camera besides the frames it waits for.
@Suite(.timeLimit(.minutes(1)))
struct LookingAtACameraTests {
    private func connect(
        _ content: RemoteCameraOptions.Content = .pixels(.bgra32)
    ) async throws -> (TestServer, TestPeer, RemoteCamera) {
        let server = try await TestServer.start()
        var options = RemoteCameraOptions()
        options.content = content
        // However late this machine's test asks.
        options.pacing = .streaming
        let camera = try RemoteCamera(server.endpoint, request: StreamRequest(), options: options)
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        return (server, peer, camera)
    }

    @Test(arguments: [RemoteCameraOptions.Content.pixels(.bgra32), .encoded])
    func theNewestFrameIsThereOnce(content: RemoteCameraOptions.Content) async throws {
        let (server, peer, camera) = try await connect(content)
        #expect(try await camera.latest() == nil)
        for sequence in 0..<3 as Range<UInt64> { await peer.send(epoch: 1, sequence: sequence) }
        try await eventually { camera.statistics.receivedCount == 3 }
        let frame = try #require(try await camera.latest())
        #expect(frame.sequence == 2)
        #expect(frame.pixelBuffer.pixelFormat == .bgra32)
        #expect(try await camera.latest() == nil)
        await peer.kill()
        camera.close()
        await #expect(throws: RemoteCameraError.self) { try await camera.latest() }
        await server.stop()
    }

    @Test func aSnapshotIsNewerThanTheCall() async throws {
        let (server, peer, camera) = try await connect()
        try await eventually { camera.statistics.clockUncertainty != nil }
        await peer.send(epoch: 1, sequence: 0)
        #expect(try await camera.next().sequence == 0)
        let moment = HostTime.now()
        async let snapshot = camera.snapshot(after: moment)
        await peer.send(epoch: 1, sequence: 1, capturedAt: moment.nanoseconds - 1_000_000_000)
        // Within the uncertainty of the clocks.
        await peer.send(epoch: 1, sequence: 2, capturedAt: moment.nanoseconds)
        await peer.send(epoch: 1, sequence: 3, capturedAt: moment.nanoseconds + 10_000_000_000)
        let frame = try await snapshot
        #expect(frame.sequence == 3)
        #expect(frame.drops == DropCounts(.lateData, 2))
        #expect(frame.captureTime.host > moment)
        await #expect(throws: RemoteCameraError.self) {
            try await camera.snapshot(timeout: .milliseconds(1))
        }
        await server.stop()
    }

    @Test func encodedFramesAreDecodedWhenTakenAsPixels() async throws {
        let (server, peer, camera) = try await connect(.encoded)
        await peer.send(epoch: 1, sequence: 0, image: .pixel(9))
        let frame = try await camera.next()
        #expect(frame.pixelBuffer.withBaseAddress { Array($0) } == [9, 9, 9, 255])
        let damaged = EncodedImage(
            codec: .jpeg, width: 2, height: 2, pixelFormat: nil, colorimetry: .jpeg,
            data: SharedBytes(copying: [1]))
        async let next = camera.next()
        await peer.send(epoch: 1, sequence: 1, image: damaged)
        try await eventually { camera.statistics.receivedCount == 2 && camera.statistics.deliveredCount == 2 }
        await peer.send(epoch: 1, sequence: 2)
        #expect(try await next.sequence == 2)
        #expect(try await next.drops == DropCounts(.corrupt))
        await server.stop()
    }

    @Test func theStatisticsTellOfTheConnection() async throws {
        let (server, peer, camera) = try await connect()
        await peer.send(epoch: 1, sequence: 0)
        _ = try await camera.next()
        try await eventually { camera.statistics.clockOffset != nil }
        let statistics = camera.statistics
        #expect(statistics.receivedCount == 1)
        #expect(statistics.receivedByteCount == 1)
        #expect(statistics.deliveredCount == 1)
        #expect(statistics.reconnectionCount == 0)
        // It is one and the same clock.
        let offset = try #require(statistics.clockOffset)
        let uncertainty = try #require(statistics.clockUncertainty)
        #expect(abs(offset / .nanoseconds(1)) <= uncertainty / .nanoseconds(1))
        await peer.kill()
        let again = try await server.nextPeer()
        _ = try await again.serve()
        #expect(camera.statistics.reconnectionCount == 1)
        await server.stop()
    }

    @Test func theStatesFollowTheServer() async throws {
        let (server, peer, camera) = try await connect()
        var states = camera.states.makeAsyncIterator()
        func next() async -> String {
            while let state = await states.next() {
                switch state {
                case .connecting: continue
                case .streaming: return "streaming"
                case .interrupted(let status): return "interrupted \(status.reason.name) \(status.text)"
                case .reconnecting(_, let cause): return "reconnecting \(cause.code)"
                case .ended(let error): return "ended \(error.endReason.name) \(error.reason)"
                }
            }
            return "no more"
        }
        #expect(await next() == "streaming")
        await peer.send(
            .status(
                CameraStatus(camera: "camera", state: .interrupted, reason: .disconnected, text: "un\u{1b}[2Jplugged")),
            stream: 1)
        #expect(await next() == "interrupted disconnected un?[2Jplugged")
        await peer.send(.status(CameraStatus(camera: "camera", state: .running)), stream: 1)
        #expect(await next() == "streaming")
        await peer.kill()
        #expect(await next() == "reconnecting disconnected")
        let again = try await server.nextPeer()
        _ = try await again.serve()
        #expect(await next() == "streaming")
        await again.send(
            .status(CameraStatus(camera: "camera", state: .ended, reason: .endOfFile, text: "a\u{7}b")), stream: 1)
        #expect(await next() == "ended endOfFile a?b")
        #expect(await next() == "no more")
        await server.stop()
    }
}
