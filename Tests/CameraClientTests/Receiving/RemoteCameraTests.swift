import CameraClient
import Testing

/// A remote camera against a scripted server.
@Suite(.timeLimit(.minutes(1)))
struct RemoteCameraTests {
    private static let ordered = StreamRequest(codecs: .inOrder([.raw]), delivery: .ordered(depth: 8))

    private static func options(_ content: RemoteCameraOptions.Content = .pixels(.bgra32)) -> RemoteCameraOptions {
        var options = RemoteCameraOptions()
        options.content = content
        return options
    }

    @Test func framesArriveDecodedInOrder() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: Self.ordered)
        let peer = try await server.nextPeer()
        let subscribe = try await peer.serve()
        #expect(subscribe.camera.isEmpty)
        #expect(subscribe.credit >= 2)
        for sequence in 0..<20 {
            await peer.waitForCredit(1)
            async let frame = camera.next()
            await peer.send(epoch: 7, sequence: UInt64(sequence), image: .pixel(UInt8(sequence)))
            let sample = try await frame
            #expect(sample.sequence == UInt64(sequence))
            #expect(sample.epoch == 7)
            #expect(sample.drops.isEmpty)
            #expect(sample.pixelBuffer.pixelFormat == .bgra32)
            let gray = UInt8(sequence)
            #expect(sample.pixelBuffer.withBaseAddress { Array($0) } == [gray, gray, gray, 255])
        }
        await server.stop()
    }

    @Test func endOfTheSourceFollowsItsLastFrame() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: Self.ordered, options: Self.options(.encoded))
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(epoch: 1, sequence: 0)
        await peer.send(epoch: 1, sequence: 1)
        await peer.send(
            .status(CameraStatus(camera: "camera", state: .ended, reason: .corrupt, drops: DropCounts(.source, 3))),
            stream: 1)
        await peer.waitForClose()
        #expect(try await camera.next().sequence == 0)
        #expect(try await camera.next().sequence == 1)
        let error = await #expect(throws: RemoteCameraError.self) { try await camera.next() }
        #expect(error?.code == .ended)
        #expect(error?.endReason == .corrupt)
        #expect(error?.drops == DropCounts(.source, 3))
        await server.stop()
    }

    @Test func goesOnAfterTheServerWasKilled() async throws {
        let server = try await TestServer.start()
        let camera = try RemoteCamera(server.endpoint, request: Self.ordered, options: Self.options(.encoded))
        var peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(epoch: 1, sequence: 5)
        #expect(try await camera.next().sequence == 5)
        await peer.kill()

        // The same source, some frames later, and one that came already.
        peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(epoch: 1, sequence: 5)
        await peer.send(epoch: 1, sequence: 9)
        var frame = try await camera.next()
        #expect(frame.sequence == 9)
        #expect(frame.drops == DropCounts(.discontinuity, 3))
        await peer.kill()

        // A server that was started again: nothing is known of what lies between.
        peer = try await server.nextPeer()
        _ = try await peer.serve()
        await peer.send(epoch: 2, sequence: 40, drops: DropCounts(.noCredit, 2))
        frame = try await camera.next()
        #expect(frame.epoch == 2)
        #expect(frame.drops.isEmpty)
        await server.stop()
    }
}
