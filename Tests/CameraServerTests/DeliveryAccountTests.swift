import CameraCapture
import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@testable import CameraServer

@Suite("The account of drops")
struct DeliveryAccountTests {
    @Test("Gaps equal the drops reported, whatever happens in whatever order", arguments: 0..<200 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bench = try DeliveryBench(isJPEG: seed % 5 == 0)
        var ids: [SubscriptionID] = []
        var given: [SubscriptionID: Int] = [:]
        var inHand: [EncodeJob] = []
        for number in 0..<4 as Range<UInt64> {
            var request = StreamRequest(
                codecs: [.automatic, .inOrder([.webp]), .inOrder([.raw])].randomElement(using: &random) ?? .automatic)
            if Bool.random(using: &random) {
                request.delivery = .ordered(depth: UInt16.random(in: 1...6, using: &random))
            }
            if Bool.random(using: &random) {
                request.frameRateCap = FrameRate(UInt32.random(in: 5...40, using: &random))
            }
            let id = bench.subscribe(number, credit: 2, request)
            ids.append(id)
            given[id] = 2
        }
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: bench.frame(lost: Int.random(in: 0..<8, using: &random) == 0 ? 2 : 0)
            case 4:
                let id = ids[Int.random(in: 0..<ids.count, using: &random)]
                let count = Int.random(in: 1...3, using: &random)
                bench.credit(id, count)
                given[id, default: 0] += count
            case 5, 6: if inHand.count < 3, let job = bench.take() { inHand.append(job) }
            case 7, 8:
                guard !inHand.isEmpty else { continue }
                let job = inHand.remove(at: Int.random(in: 0..<inHand.count, using: &random))
                bench.finish(job, failing: Int.random(in: 0..<12, using: &random) == 0)
            default:
                let id = ids[Int.random(in: 0..<ids.count, using: &random)]
                guard var request = bench.delivery.subscriptions[id]?.request,
                    Int.random(in: 0..<3, using: &random) == 0
                else { continue }
                request.quality = UInt8.random(in: 0...100, using: &random)
                bench.delivery.updated(id, request, at: bench.now)
                bench.note()
            }
            for id in ids { #expect(bench.frames[id, default: []].count <= given[id, default: 0]) }
        }
        for id in ids { bench.checkAccount(id) }
        for job in inHand { bench.finish(job) }
        // Whoever has credit gets the next frame: none was lost on the way.
        for id in ids { bench.credit(id, 8) }
        for _ in 0..<12 {
            bench.frame(after: 1_000_000_000)
            while let job = bench.take() { bench.finish(job) }
        }
        for id in ids {
            bench.checkAccount(id)
            #expect(bench.sequences(id).last ?? 0 >= bench.sequence - 12, "seed \(seed)")
        }
        for id in ids { bench.delivery.unsubscribed(id) }
        #expect(bench.delivery.renditions.isEmpty)
    }
}
