import CameraMedia
import Testing

@testable import CameraClient

struct LivenessTests {
    private static let second: UInt64 = 1_000_000_000
    private static let start = HostTime(nanoseconds: 100 * second)

    /// Looks as told until `duration` has passed; what the last look said, and when.
    private func look(
        _ liveness: inout Liveness, for duration: UInt64, lastReceived: (HostTime) -> HostTime
    ) -> (Liveness.Verdict, HostTime, Int) {
        var now = Self.start
        var count = 0
        while true {
            count += 1
            let verdict = liveness.look(at: now, lastReceived: lastReceived(now), isKernelSilent: false)
            guard case .alive(let next) = verdict, next.nanoseconds(since: Self.start) <= duration else {
                return (verdict, now, count)
            }
            now = next
        }
    }

    @Test func looksMoreOftenAtFirst() {
        var liveness = Liveness(at: Self.start)
        liveness.greeted()
        let (_, _, count) = look(&liveness, for: 10 * Self.second) { $0 }
        #expect(count == 14)
    }

    @Test func aSilentKernelIsDeath() {
        var liveness = Liveness(at: Self.start)
        liveness.greeted()
        #expect(liveness.look(at: Self.start, lastReceived: Self.start, isKernelSilent: true) == .dead)
    }

    @Test func aProcessThatSendsNothingIsStalledAfterAMinute() {
        var liveness = Liveness(at: Self.start)
        liveness.greeted()
        let (verdict, time, _) = look(&liveness, for: 100 * Self.second) { _ in Self.start }
        #expect(verdict == .stalled)
        #expect(time.nanoseconds(since: Self.start) / Self.second == 60)
    }

    @Test func bytesThatComeAreLife() {
        var liveness = Liveness(at: Self.start)
        liveness.greeted()
        let (verdict, _, _) = look(&liveness, for: 100 * Self.second) { $0 }
        guard case .alive = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test func aServerMustGreetWithinTenSeconds() {
        var liveness = Liveness(at: Self.start)
        let (verdict, time, _) = look(&liveness, for: 100 * Self.second) { $0 }
        #expect(verdict == .silentHandshake)
        #expect(time.nanoseconds(since: Self.start) / Self.second == 10)
    }

    @Test func aLateWakeUpBlamesNobody() {
        var liveness = Liveness(at: Self.start)
        liveness.greeted()
        _ = liveness.look(at: Self.start, lastReceived: Self.start, isKernelSilent: false)
        let awake = Self.start.advanced(by: 300 * Self.second)
        let verdict = liveness.look(at: awake, lastReceived: Self.start, isKernelSilent: true)
        guard case .alive(let next) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        // By the next look, what the peer sent meanwhile was read.
        #expect(liveness.look(at: next, lastReceived: Self.start, isKernelSilent: false) == .stalled)
    }
}
