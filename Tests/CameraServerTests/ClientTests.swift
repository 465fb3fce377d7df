import CameraMedia
import CameraProtocol
import Testing

@testable import CameraServer

@Suite("A client's session")
struct ClientSessionTests {
    private let hello = Message.hello(Hello(name: "test", maximumFrameByteCount: 1_000, codecs: [.webp]))
    private let subscribe = Message.subscribe(Subscribe(camera: "", request: StreamRequest(), credit: 1))

    @Test("begins with hello and nothing else")
    func beginning() {
        var session = ClientSession()
        guard case .close(.protocolViolation, _) = session.received(.ping(Ping(originate: 1)), stream: 0) else {
            Issue.record("a ping before hello was answered")
            return
        }
        let ignored = session.received(hello, stream: 0)
        #expect(ignored == .none)
        var other = ClientSession()
        guard case .welcome = other.received(hello, stream: 0),
            case .close(.protocolViolation, _) = other.received(hello, stream: 0)
        else {
            Issue.record("hello was not welcome, or was twice")
            return
        }
    }

    @Test("knows which stream numbers are taken, and how many there may be")
    func streams() {
        var session = ClientSession()
        _ = session.received(hello, stream: 0)
        for stream in 1...StreamID(Limits.streamCount) {
            guard case .subscribe(stream, _) = session.received(subscribe, stream: stream) else {
                Issue.record("stream \(stream) was refused")
                return
            }
        }
        let taken = session.received(subscribe, stream: 1)
        #expect(code(taken) == .streamState)
        let tooMany = session.received(subscribe, stream: 100)
        #expect(code(tooMany) == .limitExceeded)
        let ended = [session.received(.unsubscribe, stream: 1), session.received(.unsubscribe, stream: 1)]
        #expect(ended.first == .unsubscribe(1))
        #expect(code(ended[1]) == .streamState)
        guard case .subscribe(100, _) = session.received(subscribe, stream: 100) else {
            Issue.record("a free place was refused")
            return
        }
        // Credit may cross the end of a stream on its way.
        let credit = [session.received(.credit(3), stream: 1), session.received(.credit(3), stream: 2)]
        #expect(credit == [.none, .credit(2, 3)])
    }

    private func code(_ reaction: ClientSession.Reaction) -> ErrorCode? {
        if case .fail(_, let code, _) = reaction { code } else { nil }
    }
}

@Suite("A client's liveness")
struct ClientLivenessTests {
    private let start = HostTime(nanoseconds: 1_000_000_000_000)

    private func verdict(
        after seconds: UInt64, idleFor idle: UInt64, isActive: Bool = true, isPeerSilent: Bool = false
    ) -> ClientLiveness.Verdict {
        var liveness = ClientLiveness(at: start)
        let now = start.advanced(by: seconds * 1_000_000_000)
        return liveness.judge(
            at: now, lastActivity: HostTime(nanoseconds: now.nanoseconds - idle * 1_000_000_000), isActive: isActive,
            isPeerSilent: isPeerSilent)
    }

    @Test("A stopped process is asked, kept for a minute, and then closed")
    func stalled() {
        #expect(verdict(after: 100, idleFor: 1) == .fine)
        #expect(verdict(after: 100, idleFor: 6) == .ping)
        #expect(verdict(after: 100, idleFor: 59) == .ping)
        #expect(verdict(after: 100, idleFor: 60) == .stalled)
    }

    @Test("A silent kernel is dead at once, whoever never says hello is closed after 5 seconds")
    func dead() {
        #expect(verdict(after: 100, idleFor: 0, isPeerSilent: true) == .dead)
        #expect(verdict(after: 4, idleFor: 0, isActive: false) == .fine)
        #expect(verdict(after: 5, idleFor: 0, isActive: false) == .silentAtStart)
    }

    @Test("It is asked every 5 seconds, not every second")
    func pings() {
        var liveness = ClientLiveness(at: start)
        let pings = (1...20 as ClosedRange<UInt64>).filter { second in
            liveness.judge(
                at: start.advanced(by: second * 1_000_000_000), lastActivity: start, isActive: true,
                isPeerSilent: false) == .ping
        }
        #expect(pings == [5, 10, 15, 20])
    }
}

@Suite("Repeated lines")
struct RepeatedLinesTests {
    @Test("A fault is said once, then counted; a flood of different ones hides no number")
    func counting() {
        var lines = RepeatedLines()
        let start = HostTime(nanoseconds: 0)
        let isNew = (0..<2).map { _ in lines.occurred("a", at: start) }
        #expect(isNew == [true, false])
        for number in 0..<100 { _ = lines.occurred("\(number)", at: start) }
        let early = lines.summaries(at: start)
        #expect(early.isEmpty)
        let later = lines.summaries(at: HostTime(nanoseconds: 60_000_000_000)).sorted()
        #expect(later.contains { $0.hasPrefix("a (1 times more") })
        #expect(later.contains { $0.hasPrefix("other faults (37 times more") })
        let isNewAgain = lines.occurred("a", at: HostTime(nanoseconds: 60_000_000_001))
        #expect(isNewAgain)
    }
}
