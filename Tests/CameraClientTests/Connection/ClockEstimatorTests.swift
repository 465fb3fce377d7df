import CameraMedia
import CameraProtocol
import Testing

@testable import CameraClient

/// Times in nanoseconds; the server's clock is 1 000 000 ahead.
struct ClockEstimatorTests {
    private static let ahead: UInt64 = 1_000_000

    /// A ping that takes `there` and `back` on the way and 10 on the server.
    private func exchange(_ clock: inout ClockEstimator, at time: UInt64, there: UInt64, back: UInt64) {
        let ping = clock.makePing(at: HostTime(nanoseconds: time))
        let receive = time + there + Self.ahead
        let pong = Pong(originate: ping.originate, receive: receive, transmit: receive + 10)
        clock.received(pong, at: HostTime(nanoseconds: time + there + 10 + back))
    }

    @Test func knowsNothingBeforeTheFirstPong() {
        #expect(ClockEstimator().estimate(serverTime: 5, at: HostTime(nanoseconds: 0)) == nil)
        #expect(ClockEstimator().smallestRoundTrip == nil)
    }

    @Test func aSymmetricWayGivesTheExactOffset() throws {
        var clock = ClockEstimator()
        exchange(&clock, at: 1000, there: 50, back: 50)
        let estimate = try #require(clock.estimate(serverTime: 2000 + Self.ahead, at: HostTime(nanoseconds: 1110)))
        #expect(estimate.time == HostTime(nanoseconds: 2000))
        #expect(estimate.uncertainty == 50)
        #expect(clock.smallestRoundTrip == 100)
    }

    @Test func anAsymmetricWayIsWithinTheUncertainty() throws {
        var clock = ClockEstimator()
        exchange(&clock, at: 1000, there: 10, back: 190)
        let estimate = try #require(clock.estimate(serverTime: 2000 + Self.ahead, at: HostTime(nanoseconds: 1300)))
        let error = Int64(estimate.time.nanoseconds) - 2000
        #expect(error == 90)
        #expect(estimate.uncertainty == 100)
    }

    @Test func theFastestExchangeCounts() throws {
        var clock = ClockEstimator()
        exchange(&clock, at: 1000, there: 400, back: 20)
        exchange(&clock, at: 5000, there: 20, back: 20)
        exchange(&clock, at: 9000, there: 20, back: 4000)
        let estimate = try #require(clock.estimate(serverTime: Self.ahead, at: HostTime(nanoseconds: 14_000)))
        #expect(estimate.time == HostTime(nanoseconds: 0))
        #expect(estimate.uncertainty == 20)
    }

    @Test func driftMakesOldExchangesCountLess() throws {
        var clock = ClockEstimator()
        exchange(&clock, at: 0, there: 10, back: 10)
        let late = HostTime(nanoseconds: 30_000_000_030)
        let estimate = try #require(clock.estimate(serverTime: Self.ahead, at: late))
        // 50 millionths of 30 s.
        #expect(estimate.uncertainty == 10 + 1_500_000)
    }

    @Test func whatAnswersNoPingIsIgnored() {
        var clock = ClockEstimator()
        let ping = clock.makePing(at: HostTime(nanoseconds: 100))
        clock.received(Pong(originate: 99, receive: 1, transmit: 2), at: HostTime(nanoseconds: 200))
        // A server that needed longer than the round trip, or answered before it was asked.
        clock.received(Pong(originate: ping.originate, receive: 0, transmit: .max), at: HostTime(nanoseconds: 200))
        #expect(clock.smallestRoundTrip == nil)
    }
}
