import CameraMedia
import CameraProtocol
import Testing

@testable import CameraClient

/// `ordered` delivery: several frames are decoded at once and handed out in order.
struct OrderedFlowTests {
    private static func driver(isDecoding: Bool = true, decoderCount: Int = 2) -> FlowDriver {
        FlowDriver(
            FrameFlow.Configuration(isOrdered: true, isDecoding: isDecoding, decoderCount: decoderCount))
    }

    @Test func decodesAheadAndKeepsTheOrder() throws {
        var driver = Self.driver()
        for sequence in 0..<4 { driver.receive(UInt64(sequence)) }
        #expect(driver.decoding.count == 2)
        try driver.finishDecoding(at: 1)
        #expect(driver.decoding.count == 2)
        driver.ask()
        #expect(driver.sequences.isEmpty)
        try driver.finishDecoding()
        #expect(driver.sequences == [0])
        driver.ask()
        #expect(driver.sequences == [0, 1])
    }

    @Test func nothingComesBeyondTheCreditUntilTheConsumerIsDone() {
        var driver = Self.driver(isDecoding: false)
        let window = 2 + CreditController.orderedSurplus
        #expect(driver.credit == window)
        for sequence in 0..<window { driver.receive(UInt64(sequence)) }
        #expect(driver.credit == 0)
        driver.ask()
        // In the consumer's hands, not done.
        #expect(driver.credit == 0)
        #expect(driver.acknowledged.isEmpty)
        driver.ask()
        #expect(driver.credit == 1)
        #expect(driver.acknowledged == [FramePosition(epoch: 1, sequence: 0)])
        #expect(driver.sequences == [0, 1])
    }

    @Test func aDamagedFrameIsReportedWithTheNextOne() throws {
        var driver = Self.driver()
        for sequence in 0..<3 { driver.receive(UInt64(sequence)) }
        driver.ask()
        try driver.finishDecoding(at: 1, failing: .corrupt)
        try driver.finishDecoding()
        try driver.finishDecoding()
        driver.ask()
        #expect(driver.sequences == [0, 2])
        #expect(driver.received[1].drops == DropCounts(.corrupt))
    }

    @Test func whatWasReceivedSurvivesABrokenConnection() {
        var driver = Self.driver(isDecoding: false)
        for sequence in 0..<3 { driver.receive(UInt64(sequence)) }
        driver.flow.disconnected()
        driver.connect()
        #expect(driver.credit == CreditController.orderedSurplus - 1)
        driver.receive(9)
        for _ in 0..<4 { driver.ask() }
        #expect(driver.sequences == [0, 1, 2, 9])
        #expect(driver.received[3].drops == DropCounts(.discontinuity, 6))
    }
}
