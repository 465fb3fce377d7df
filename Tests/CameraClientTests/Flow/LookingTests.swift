import CameraMedia
import CameraProtocol
import Testing

@testable import CameraClient

/// Consumers that look in now and then, and those that want a frame taken after a moment.
struct LookingTests {
    private static func driver(
        pacing: ConsumerPacing = .automatic, startsOnDemand: Bool = false, maximumAge: UInt64? = nil,
        isDecoding: Bool = false
    ) -> FlowDriver {
        FlowDriver(
            FrameFlow.Configuration(
                isOrdered: false, pacing: pacing, startsOnDemand: startsOnDemand, maximumAge: maximumAge,
                isDecoding: isDecoding))
    }

    // MARK: - Looking in

    @Test func framesKeepComingForAConsumerThatLooksInRarely() {
        var driver = Self.driver()
        driver.ask(isPoll: true)
        driver.withdraw()
        for round in 0..<5 as Range<UInt64> {
            // Far longer than a consumer that waits may be busy.
            for frame in 0..<30 as Range<UInt64> {
                driver.now += 33_000_000
                driver.receive(round * 30 + frame)
            }
            driver.ask(isPoll: true)
            driver.now += 33_000_000
        }
        #expect(driver.sequences == [29, 59, 89, 119, 149])
        #expect(driver.gapsEqualDrops)
        #expect(!driver.flow.isOnDemand)
    }

    @Test func waitingEndsThePolling() {
        var driver = Self.driver()
        driver.receive(0)
        driver.ask(isPoll: true)
        driver.receive(1)
        driver.ask()
        driver.now += 10_000_000_000
        driver.receive(2)
        #expect(driver.flow.isOnDemand)
    }

    @Test func withPacingOnDemandALookAsksForTheFrameOfALaterOne() {
        var driver = Self.driver(pacing: .onDemand)
        #expect(driver.credit == 0)
        driver.ask(isPoll: true)
        #expect(driver.credit == 1)
        driver.withdraw()
        driver.receive(7)
        driver.ask(isPoll: true)
        #expect(driver.sequences == [7])
        #expect(driver.credit == 0)
    }

    @Test func nothingComesBeforeTheFirstAsk() {
        var driver = Self.driver(startsOnDemand: true)
        #expect(driver.credit == 0)
        driver.now += 10_000_000_000
        driver.ask()
        #expect(driver.credit == 1)
        driver.receive(0)
        driver.now += 1_000_000
        driver.ask()
        // It keeps up.
        #expect(driver.credit == 2)
        #expect(!driver.flow.isOnDemand)
    }

    // MARK: - After a moment

    @Test func aFrameThatMayBeEarlierWillNotDo() {
        var driver = Self.driver()
        driver.ask()
        driver.receive(0)
        let moment = driver.now
        driver.ask(after: moment)
        driver.now += 10
        driver.receive(1, age: 11)
        // Taken at the very moment.
        driver.receive(2, age: 10)
        driver.receive(3, age: 2, uncertainty: 8)
        driver.receive(4, age: 0, isClockKnown: false)
        #expect(driver.sequences == [0])
        driver.receive(5, age: 1, uncertainty: 8)
        #expect(driver.sequences == [0, 5])
        #expect(driver.received[1].drops == DropCounts(.lateData, 4))
    }

    @Test func anEarlierFrameIsNotDecoded() throws {
        var driver = Self.driver(isDecoding: true)
        driver.receive(0, age: 5)
        driver.ask(after: driver.now)
        #expect(driver.decoding.isEmpty)
        driver.now += 1
        driver.receive(1)
        try driver.finishDecoding()
        #expect(driver.sequences == [1])
    }

    @Test func theOldestWishIsServedFirstUnlessItIsTakenBack() {
        var driver = Self.driver()
        driver.ask(after: driver.now + 1_000)
        driver.ask()
        driver.receive(0)
        // The oldest wish is served first.
        #expect(driver.sequences.isEmpty)
        driver.withdraw()
        driver.receive(1)
        #expect(driver.sequences == [1])
    }

    // MARK: - The maximum age

    @Test func theMaximumAgeCanBeChanged() {
        var driver = Self.driver(maximumAge: 100)
        driver.receive(0, age: 101)
        driver.ask()
        #expect(driver.sequences.isEmpty)
        driver.flow.setMaximumAge(nil)
        driver.receive(1, age: 101)
        #expect(driver.sequences == [1])
        driver.flow.setMaximumAge(50)
        driver.ask()
        driver.receive(2, age: 51)
        driver.receive(3, age: 50)
        #expect(driver.sequences == [1, 3])
        #expect(driver.gapsEqualDrops)
    }
}
