import Testing

@testable import CameraClient

struct ConnectionPolicyTests {
    private static func error(_ code: RemoteCameraError.Code) -> RemoteCameraError {
        RemoteCameraError(code, subject: "host", reason: "test")
    }

    @Test(arguments: [RemoteCameraError.Code.unreachable, .disconnected, .serverFull])
    func whatMayPassIsTriedAgain(_ code: RemoteCameraError.Code) {
        var policy = ConnectionPolicy(reconnects: true)
        policy.connecting()
        #expect(policy.failed(Self.error(code), random: 0) == .retry(after: Backoff.shortest))
        var impatient = ConnectionPolicy(reconnects: false)
        #expect(impatient.failed(Self.error(code), random: 0) == .giveUp)
    }

    @Test(arguments: [
        RemoteCameraError.Code.unknownHost, .unknownCamera, .protocolViolation, .refused, .notPermitted, .ended,
        .closed,
    ])
    func whatCannotPassIsTheEnd(_ code: RemoteCameraError.Code) {
        var policy = ConnectionPolicy(reconnects: true)
        policy.connecting()
        #expect(policy.failed(Self.error(code), random: 0) == .giveUp)
    }

    @Test func whatWasRightBeforeIsTriedAgain() {
        var policy = ConnectionPolicy(reconnects: true)
        policy.connecting()
        policy.greeted()
        policy.subscribed()
        #expect(policy.failed(Self.error(.protocolViolation), random: 0) != .giveUp)
        policy.connecting()
        #expect(policy.failed(Self.error(.unknownHost), random: 0) != .giveUp)
        #expect(policy.failed(Self.error(.unknownCamera), random: 0) != .giveUp)
        // Somebody else listens there now.
        #expect(policy.failed(Self.error(.protocolViolation), random: 0) == .giveUp)
    }

    @Test func aFrameMakesTheNextPauseShort() {
        var policy = ConnectionPolicy(reconnects: true)
        for _ in 0..<6 { _ = policy.failed(Self.error(.unreachable), random: 1) }
        policy.received()
        #expect(policy.failed(Self.error(.unreachable), random: 0) == .retry(after: Backoff.shortest))
    }
}
