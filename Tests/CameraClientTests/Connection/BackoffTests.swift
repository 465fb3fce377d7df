import Testing

@testable import CameraClient

struct BackoffTests {
    @Test func pausesDoubleUpToTheLongest() {
        var backoff = Backoff()
        let pauses = (0..<8).map { _ in backoff.nextDelay(random: 1) / 1_000_000 }
        #expect(pauses == [200, 400, 800, 1600, 3200, 5000, 5000, 5000])
    }

    @Test func jitterHalvesAPauseAtMost() {
        var backoff = Backoff()
        #expect(backoff.nextDelay(random: 0) == Backoff.shortest)
        for _ in 0..<20 { _ = backoff.nextDelay(random: 0.5) }
        #expect(backoff.nextDelay(random: 0) == Backoff.longest / 2)
        #expect(backoff.nextDelay(random: 1) == Backoff.longest)
    }

    @Test func beginsAgainAfterSuccess() {
        var backoff = Backoff()
        for _ in 0..<5 { _ = backoff.nextDelay(random: 1) }
        backoff.reset()
        #expect(backoff.nextDelay(random: 0) == Backoff.shortest)
    }
}
