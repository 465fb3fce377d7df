import CameraMedia
import Testing

@Suite("Time")
struct TimeTests {
    @Test("Epochs always grow, from any thread")
    func epochs() async {
        let epochs = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 { group.addTask { (0..<500).map { _ in Epoch.next() } } }
            return await group.reduce(into: [[UInt64]]()) { $0.append($1) }
        }
        for own in epochs { #expect(own == own.sorted()) }
        #expect(Set(epochs.joined()).count == 2000)
    }

    @Test("A frame duration is the interval of its rate")
    func durations() {
        #expect(FrameDuration(1, 15).nanoseconds == 66_666_667)
        #expect(FrameDuration(1001, 30_000).nanoseconds == 33_366_667)
        #expect(FrameDuration(FrameRate.thirty) == FrameDuration(1, 30))
    }

    @Test("Host times subtract, as nanoseconds without going below 0")
    func hostTime() {
        let early = HostTime(nanoseconds: 100)
        let late = early.advanced(by: 50)
        #expect(late.nanoseconds(since: early) == 50 && early.nanoseconds(since: late) == 0 && early < late)
        #expect(late.duration(since: early) == .nanoseconds(50) && early.duration(since: late) == .nanoseconds(-50))
        #expect(HostTime.now() <= HostTime.now())
    }

    @Test("A moment of the past gets the UTC time it had")
    func captureTime() {
        let now = CaptureTime.now()
        let past = CaptureTime(at: HostTime(nanoseconds: now.host.nanoseconds - 5_000_000_000))
        let difference = Int64(now.utcNanoseconds) - Int64(past.utcNanoseconds)
        // Two readings of both clocks apart, and a step of the wall clock in between at worst.
        #expect(abs(difference - 5_000_000_000) < 1_000_000_000)
    }
}
