import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@testable import CameraClient

/// Whatever is dropped, and wherever: the gaps equal the drops.
struct AccountingTests {
    @Test(arguments: 0..<40)
    func gapsEqualDropsUnderRandomEvents(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let isOrdered = seed % 2 == 0
        var driver = FlowDriver(
            FrameFlow.Configuration(
                isOrdered: isOrdered, pacing: seed % 3 == 0 ? .onDemand : .automatic,
                maximumAge: seed % 5 == 0 ? 300_000_000 : nil, isDecoding: seed % 4 < 2, decoderCount: 3))
        var sequence: UInt64 = 0
        var epoch: UInt64 = 1
        var isFirst = true
        var waiting = 0
        for _ in 0..<2000 {
            driver.now += UInt64.random(in: 0..<20_000_000, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4 where driver.credit > 0:
                let skipped = UInt64.random(in: 0..<3, using: &random)
                sequence += skipped
                let drops = isFirst || skipped == 0 ? DropCounts() : DropCounts(.noCredit, skipped)
                driver.receive(
                    sequence, epoch: epoch, drops: drops, age: UInt64.random(in: 0..<400_000_000, using: &random),
                    hasPayload: Int.random(in: 0..<10, using: &random) > 0)
                sequence += 1
                isFirst = false
            case 4..<7 where waiting < 3:
                driver.ask()
            case 7 where waiting > 0:
                driver.withdraw()
            case 8 where !driver.decoding.isEmpty:
                let failure: DropReason? = Int.random(in: 0..<5, using: &random) == 0 ? .corrupt : nil
                try driver.finishDecoding(at: .random(in: driver.decoding.indices, using: &random), failing: failure)
            case 9 where Int.random(in: 0..<30, using: &random) == 0:
                driver.flow.disconnected()
                driver.connect()
                isFirst = true
                if Bool.random(using: &random) {
                    epoch += 1
                    sequence = 0
                }
            default: break
            }
            waiting = driver.flow.waitingCount
        }
        #expect(driver.received.count > 5)
        #expect(driver.gapsEqualDrops)
        let positions = driver.received.map { ($0.epoch, $0.sequence) }
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func everyStageAddsItsOwn() {
        var book = DropBook()
        #expect(book.pass(epoch: 1, carrying: DropCounts(.source, 2)).isEmpty)
        book.discard(carrying: DropCounts(.noCredit, 3), reason: .rateCap)
        book.discard(carrying: DropCounts(), reason: .rateCap)
        var expected = DropCounts(.noCredit, 4)
        expected.add(.rateCap, 2)
        #expect(book.pass(epoch: 1, carrying: DropCounts(.noCredit)) == expected)
        book.discard(carrying: DropCounts(), reason: .rateCap)
        #expect(book.pass(epoch: 2, carrying: DropCounts()).isEmpty)
    }
}
