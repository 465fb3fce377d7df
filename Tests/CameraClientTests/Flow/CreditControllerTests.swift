import CameraMedia
import CameraProtocol
import Testing

@testable import CameraClient

struct CreditControllerTests {
    private static let millisecond: UInt64 = 1_000_000

    private static func at(_ milliseconds: UInt64) -> HostTime {
        HostTime(nanoseconds: 1_000_000_000 + milliseconds * millisecond)
    }

    /// The stages of a frame that took `milliseconds` to encode.
    private static func stages(_ milliseconds: UInt64 = 0) -> StageTimes {
        StageTimes(captured: 0, encodeStarted: 5, encoded: 5 + milliseconds * millisecond, sent: 0)
    }

    private func controller(isOrdered: Bool = false, pacing: ConsumerPacing = .automatic) -> CreditController {
        var credit = CreditController(isOrdered: isOrdered, pacing: pacing)
        credit.granted(.thirty)
        credit.reset(at: Self.at(0), isConsumerWaiting: false)
        return credit
    }

    @Test(arguments: [
        (roundTrip: 0, encode: 0, credit: 2), (30, 0, 2), (200, 0, 7), (200, 30, 8), (10_000, 0, 16),
    ])
    func streamingCoversRoundTripAndEncoding(roundTrip: UInt64, encode: UInt64, credit expected: UInt16) {
        var credit = controller()
        credit.measured(roundTrip: roundTrip * Self.millisecond)
        _ = credit.takeCredit(isConsumerWaiting: false, heldCount: 0)
        credit.received(Self.stages(encode), at: Self.at(1))
        credit.reset(at: Self.at(1), isConsumerWaiting: false)
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 0) == expected)
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 0) == 0)
    }

    @Test func streamingGivesCreditBackWhenAFrameCame() {
        var credit = controller()
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 0) == 2)
        credit.received(Self.stages(), at: Self.at(1))
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 1) == 1)
    }

    @Test func aSlowConsumerIsServedOnDemand() {
        var credit = controller()
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 0) == 2)
        // Four frame intervals are 133 ms; the consumer is busy still.
        credit.received(Self.stages(), at: Self.at(130))
        #expect(credit.regime == .streaming)
        credit.received(Self.stages(), at: Self.at(140))
        #expect(credit.regime == .onDemand)
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 0) == 0)
        credit.consumerAsked(at: Self.at(500))
        #expect(credit.takeCredit(isConsumerWaiting: true, heldCount: 0) == 1)
        // Asking again gives no second one.
        #expect(credit.takeCredit(isConsumerWaiting: true, heldCount: 0) == 0)
    }

    @Test func aConsumerThatIsFastAgainIsStreamedTo() {
        var credit = controller()
        credit.consumerAsked(at: Self.at(500))
        #expect(credit.regime == .onDemand)
        // Between half the threshold and the threshold nothing changes, either way.
        credit.consumerLeft(at: Self.at(600))
        credit.consumerAsked(at: Self.at(700))
        #expect(credit.regime == .onDemand)
        credit.consumerLeft(at: Self.at(800))
        credit.consumerAsked(at: Self.at(860))
        #expect(credit.regime == .streaming)
        credit.consumerLeft(at: Self.at(900))
        credit.consumerAsked(at: Self.at(1000))
        #expect(credit.regime == .streaming)
    }

    @Test func eitherRegimeCanBeForced() {
        var streaming = controller(pacing: .streaming)
        streaming.consumerAsked(at: Self.at(5000))
        #expect(streaming.regime == .streaming)
        var onDemand = controller(pacing: .onDemand)
        onDemand.consumerAsked(at: Self.at(1))
        #expect(onDemand.regime == .onDemand)
    }

    @Test func orderedGivesCreditWhenTheConsumerIsDone() {
        var credit = controller(isOrdered: true)
        let window = 2 + CreditController.orderedSurplus
        #expect(credit.takeCredit(isConsumerWaiting: false, heldCount: 0) == window)
        for _ in 0..<window { credit.received(Self.stages(), at: Self.at(1)) }
        #expect(credit.takeCredit(isConsumerWaiting: true, heldCount: window) == 0)
        #expect(credit.takeCredit(isConsumerWaiting: true, heldCount: window - 1) == 1)
        credit.consumerAsked(at: Self.at(9000))
        #expect(credit.regime == .ordered)
    }

    @Test func timeStampsOfALyingPeerDoNoHarm() {
        var credit = controller()
        let stages = StageTimes(captured: .max, encodeStarted: 0, encoded: .max, sent: 0)
        for _ in 0..<40 { credit.received(stages, at: Self.at(1)) }
        credit.consumerAsked(at: Self.at(2))
        #expect(credit.takeCredit(isConsumerWaiting: true, heldCount: 0) == Limits.credit)
    }
}
