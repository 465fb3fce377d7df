import CameraProtocol
import Testing

@testable import CameraClient

struct SequenceLedgerTests {
    private func position(_ epoch: UInt64, _ sequence: UInt64) -> FramePosition {
        FramePosition(epoch: epoch, sequence: sequence)
    }

    @Test func passesTheServersDropsOn() {
        var ledger = SequenceLedger()
        #expect(ledger.received(position(1, 4), drops: DropCounts()) == DropCounts())
        #expect(ledger.received(position(1, 7), drops: DropCounts(.noCredit, 2)) == DropCounts(.noCredit, 2))
    }

    @Test func theFirstFrameOfAnEpochCarriesNone() {
        var ledger = SequenceLedger()
        #expect(ledger.received(position(1, 4), drops: DropCounts(.source, 4)) == DropCounts())
        #expect(ledger.received(position(2, 9), drops: DropCounts(.source, 9)) == DropCounts())
    }

    @Test func aGapAcrossAReconnectionIsADiscontinuity() {
        var ledger = SequenceLedger()
        _ = ledger.received(position(1, 4), drops: DropCounts())
        ledger.subscribed()
        #expect(ledger.received(position(1, 4), drops: DropCounts()) == nil)
        #expect(ledger.received(position(1, 8), drops: DropCounts(.noCredit, 3)) == DropCounts(.discontinuity, 3))
        #expect(ledger.received(position(1, 10), drops: DropCounts(.noCredit)) == DropCounts(.noCredit))
    }

    @Test func nothingIsRepeated() {
        var ledger = SequenceLedger()
        _ = ledger.received(position(1, 4), drops: DropCounts())
        #expect(ledger.received(position(1, 4), drops: DropCounts()) == nil)
        #expect(ledger.received(position(1, 3), drops: DropCounts()) == nil)
    }
}
