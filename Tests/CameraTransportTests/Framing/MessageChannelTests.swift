import CameraMedia
import CameraProtocol
import CameraTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MessageChannelTests {
    private static let hello = Message.hello(Hello(name: "test", maximumFrameByteCount: 1 << 20, codecs: [.webp]))

    private func ping(_ number: UInt64) -> Message { .ping(Ping(originate: number)) }

    @Test func messagesAndFramesArriveAsSent() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first)
        let client = try await ChannelProbe(side: .client, socket: second)
        guard case .opened(let preamble) = await client.next() else {
            Issue.record("no preamble")
            return
        }
        #expect(preamble == .current)
        await client.send(Self.hello)
        #expect(await server.messages(1) == [Self.hello])
        for (sequence, byteCount) in [1, 100, 20_000, 3_000_000].enumerated() {
            let payload = SharedBytes.pattern(byteCount)
            await server.send(.sample(UInt64(sequence)), payload: payload)
            let frame = try #require(await client.frame())
            #expect(frame.metadata.position.sequence == UInt64(sequence))
            #expect(frame.metadata.stages.sent > 0)
            #expect(frame.payload?.array == payload.array)
        }
        #expect(await server.waitingFrameCount == 0)
    }

    @Test func bytesOneByOneMakeTheSameMessages() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first)
        let peer = RawPeer(socket: second)
        let messages = [Self.hello, ping(7), .bye(Bye())]
        for byte in Preamble.current.bytes + messages.flatMap({ $0.encoded(stream: 0) }) { peer.write([byte]) }
        #expect(await server.messages(3) == messages)
    }

    @Test func aFrameInPiecesIsWhole() async throws {
        let (first, second) = try Socket.pair()
        let client = try await ChannelProbe(side: .client, socket: first)
        let peer = RawPeer(socket: second)
        let payload = SharedBytes.pattern(50_000)
        let bytes =
            Preamble.current.bytes
            + FrameMetadata.sample(3).encoded(stream: 1, payloadByteCount: payload.count) + payload.array
        for start in stride(from: 0, to: bytes.count, by: 977) {
            peer.write(bytes[start..<min(start + 977, bytes.count)])
        }
        #expect(await client.frame()?.payload?.array == payload.array)
    }

    @Test func aFrameWithoutABlockIsReadAndThrownAway() async throws {
        let (first, second) = try Socket.pair()
        let client = try await ChannelProbe(side: .client, socket: first, pool: MemoryPool(limit: 1))
        let server = try await ChannelProbe(side: .server, socket: second)
        for sequence in 0..<3 { await server.send(.sample(UInt64(sequence)), payload: .pattern(100_000)) }
        var held = await client.frame()
        #expect(held?.payload != nil)
        #expect(await client.frame()?.payload == nil)
        #expect(await client.frame()?.payload == nil)
        // The block is free again once its last reference is gone.
        withExtendedLifetime(held) { held = nil }
        await server.send(.sample(3), payload: .pattern(10))
        let frame = try #require(await client.frame())
        #expect(frame.payload?.array == SharedBytes.pattern(10).array)
    }

    @Test func connectionMessagesOvertakeFramesAndStreamMessagesDoNot() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first)
        // Nothing is read until all is queued: the first frame alone is more than the socket holds.
        for sequence in 0..<3 { await server.send(.sample(UInt64(sequence)), payload: .pattern(2_000_000)) }
        await server.send(.status(CameraStatus(camera: "c", state: .ended)), stream: 1)
        await server.send(.pong(Pong(originate: 1, receive: 2, transmit: 3)))
        #expect(await server.waitingFrameCount == 3)

        let client = try await ChannelProbe(side: .client, socket: second)
        var order: [String] = []
        while order.count < 5, let event = await client.next() {
            switch event {
            case .frame(let frame): order.append("frame \(frame.metadata.position.sequence)")
            case .message(.status, _): order.append("status")
            case .message(.pong, _): order.append("pong")
            default: break
            }
        }
        #expect(order == ["frame 0", "pong", "frame 1", "frame 2", "status"])
    }

    @Test func whatWaitsIsWrittenBeforeTheChannelFinishes() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first)
        await server.send(.sample(0), payload: .pattern(2_000_000))
        await server.send(.bye(Bye(code: .shuttingDown)))
        await server.finish()
        let client = try await ChannelProbe(side: .client, socket: second)
        #expect(await client.frame()?.payload?.count == 2_000_000)
        #expect(await client.messages(1) == [.bye(Bye(code: .shuttingDown))])
        #expect(await client.closeReason() == .endOfStream)
    }

    /// Both ends; the sockets belong to them alone.
    private func connectedPair() async throws -> (server: ChannelProbe, client: ChannelProbe) {
        let (first, second) = try Socket.pair()
        return (
            try await ChannelProbe(side: .server, socket: first), try await ChannelProbe(side: .client, socket: second)
        )
    }

    @Test func theOtherSideIsGone() async throws {
        let (server, client) = try await connectedPair()
        await client.close()
        let reason = await server.closeReason()
        #expect(reason != nil)
        #expect(await !server.isOpen)
        // Of no effect, and harmless.
        await server.send(ping(1))
    }

    @Test func anHTTPRequestIsNotOurProtocol() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first)
        RawPeer(socket: second).write("GET / HTTP/1.1\r\n\r\n".utf8)
        guard case .protocolError(.notCamstream(let bytes)) = await server.closeReason() else {
            Issue.record("not refused")
            return
        }
        #expect(bytes.starts(with: Array("GET /".utf8)))
    }

    @Test func anOversizedMessageIsRefused() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first)
        RawPeer(socket: second).write(Preamble.current.bytes + [0xFF, 0xFF, 0xFF, 0xFF, 11, 0, 0, 0])
        #expect(
            await server.closeReason()
                == .protocolError(
                    .bodyTooLong(type: 11, byteCount: Int(UInt32.max), limit: Limits.controlByteCount)))
    }

    @Test func whoFloodsAndDoesNotReadIsNotReadEither() async throws {
        let (first, second) = try Socket.pair()
        let server = try await ChannelProbe(side: .server, socket: first, answersPings: true)
        let peer = RawPeer(socket: second)
        peer.write(Preamble.current.bytes)
        let pings = (0..<1000).flatMap { ping($0).encoded(stream: 0) }
        let limit = 256 << 20
        let taken = await Task.detached { peer.flood(with: pings, limit: limit, patience: 1000) }.value
        #expect(taken < limit)
        #expect(await server.isOpen)
    }
}
