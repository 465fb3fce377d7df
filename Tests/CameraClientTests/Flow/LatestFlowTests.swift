import CameraMedia
import CameraProtocol
import Testing

@testable import CameraClient

/// `latest` delivery: the mailbox, the decoder and demand.
struct LatestFlowTests {
    private static func driver(
        pacing: ConsumerPacing = .automatic, maximumAge: UInt64? = nil, isDecoding: Bool = false
    ) -> FlowDriver {
        FlowDriver(
            FrameFlow.Configuration(
                isOrdered: false, pacing: pacing, maximumAge: maximumAge, isDecoding: isDecoding))
    }

    @Test func theMailboxKeepsTheNewestAndCountsTheRest() {
        var driver = Self.driver()
        driver.ask()
        driver.receive(0)
        driver.receive(1)
        driver.receive(4, drops: DropCounts(.noCredit, 2))
        driver.ask()
        #expect(driver.sequences == [0, 4])
        var expected = DropCounts(.noCredit, 2)
        expected.add(.lateData)
        #expect(driver.received[1].drops == expected)
        #expect(driver.credit == 2)
    }

    @Test func aFrameThatIsBeingDecodedIsNotReplaced() throws {
        var driver = Self.driver(isDecoding: true)
        driver.ask()
        driver.receive(0)
        driver.receive(1)
        driver.receive(2)
        #expect(driver.decoding.count == 1)
        try driver.finishDecoding()
        #expect(driver.sequences == [0])
        // Nobody asked: the next is not decoded in vain.
        #expect(driver.decoding.isEmpty)
        driver.ask()
        try driver.finishDecoding()
        #expect(driver.sequences == [0, 2])
        #expect(driver.gapsEqualDrops)
    }

    @Test func aDamagedFrameIsCountedAndTheNextOneServes() throws {
        var driver = Self.driver(isDecoding: true)
        driver.ask()
        driver.receive(0)
        try driver.finishDecoding()
        driver.ask()
        driver.receive(1)
        try driver.finishDecoding(failing: .corrupt)
        driver.receive(2)
        try driver.finishDecoding()
        #expect(driver.sequences == [0, 2])
        #expect(driver.received[1].drops == DropCounts(.corrupt))
    }

    @Test func aFrameDecodedForNobodyGivesWayToANewerOne() throws {
        var driver = Self.driver(isDecoding: true)
        driver.ask()
        driver.receive(0)
        driver.withdraw()
        driver.receive(1)
        try driver.finishDecoding()
        driver.ask()
        try driver.finishDecoding()
        #expect(driver.sequences == [1])
        #expect(driver.received[0].drops.isEmpty)
    }

    @Test func onDemandNothingComesUnasked() {
        var driver = Self.driver(pacing: .onDemand)
        #expect(driver.credit == 0)
        driver.ask()
        #expect(driver.credit == 1)
        driver.receive(5)
        #expect(driver.sequences == [5])
        #expect(driver.credit == 0)
        driver.ask()
        driver.withdraw()
        driver.ask()
        #expect(driver.credit == 1)
    }

    @Test func onDemandAFrameThatIsBeingDecodedServesTheAsk() throws {
        var driver = Self.driver(pacing: .onDemand, isDecoding: true)
        driver.ask()
        driver.receive(0)
        #expect(driver.credit == 0)
        try driver.finishDecoding()
        #expect(driver.credit == 0)
        driver.ask()
        driver.receive(1)
        // It comes to nothing: another one is asked for.
        try driver.finishDecoding(failing: .corrupt)
        #expect(driver.credit == 1)
    }

    @Test func onDemandNothingAgesInTheMailbox() {
        var driver = Self.driver()
        driver.ask()
        driver.receive(0)
        // The consumer is busy for a second; what comes meanwhile is dropped as soon as it shows.
        driver.now += 500_000_000
        driver.receive(10, drops: DropCounts(.noCredit, 9))
        driver.receive(11)
        #expect(driver.flow.isOnDemand)
        #expect(driver.flow.isEmpty)
        #expect(driver.credit == 0)
        driver.now += 500_000_000
        driver.ask()
        #expect(driver.credit == 1)
        driver.receive(30, drops: DropCounts(.noCredit, 18))
        #expect(driver.sequences == [0, 30])
        #expect(driver.received[1].drops[.lateData] == 2)
        #expect(driver.gapsEqualDrops)
    }

    @Test func tooOldIsDroppedAndAskedForAgain() {
        var driver = Self.driver(pacing: .onDemand, maximumAge: 100)
        driver.ask()
        driver.receive(0, age: 100)
        driver.ask()
        driver.receive(1, age: 101)
        #expect(driver.sequences == [0])
        #expect(driver.credit == 1)
        driver.receive(2, age: 3)
        #expect(driver.received.last?.drops == DropCounts(.lateData))
    }

    @Test func ageIsJudgedLessItsUncertainty() {
        let sample = SampleBuffer(
            content: .encoded(.pixel(0)), position: FramePosition(epoch: 1, sequence: 0),
            captureTime: CaptureTime(host: HostTime(nanoseconds: 1000), utcNanoseconds: 0),
            capturedAt: HostTime(nanoseconds: 1900), captureTimeUncertainty: 50)
        let frame = ReceivedFrame(sample: sample, isClockKnown: true)
        #expect(!frame.isOlder(than: 950, at: HostTime(nanoseconds: 2000)))
        #expect(frame.isOlder(than: 949, at: HostTime(nanoseconds: 2000)))
        // Until the clocks are compared, the time since it came counts.
        let unknown = ReceivedFrame(sample: sample, isClockKnown: false)
        #expect(!unknown.isOlder(than: 100, at: HostTime(nanoseconds: 2000)))
        #expect(unknown.isOlder(than: 99, at: HostTime(nanoseconds: 2000)))
    }

    @Test func aFrameWithoutMemoryIsOutOfBuffers() {
        var driver = Self.driver()
        driver.ask()
        driver.receive(0)
        driver.receive(1, hasPayload: false)
        driver.receive(2)
        driver.ask()
        #expect(driver.sequences == [0, 2])
        #expect(driver.received[1].drops == DropCounts(.outOfBuffers))
    }
}
