import CameraCapture
import CameraMedia
import CameraProtocol
import Testing

@testable import CameraServer

@Suite("Delivery of the newest frame")
struct LatestDeliveryTests {
    @Test("Nothing is encoded for a client without credit, and the newest waits for it")
    func noCredit() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 0)
        for _ in 0..<3 { bench.frame() }
        #expect(bench.delivery.readyTurns.isEmpty)
        bench.credit(id)
        let job = try bench.need()
        #expect(job.frame.sample.sequence == 2)
        bench.finish(job)
        #expect(bench.sequences(id) == [2])
        bench.frame()
        bench.frame()
        bench.credit(id)
        bench.finish(try bench.need())
        #expect(bench.frames[id]?.last == .init(sequence: 4, drops: DropCounts(.noCredit, 1), codec: .webp))
    }

    @Test("Two clients on one rendition cost one encode, and so does one that comes while it runs or after")
    func sharedEncode() throws {
        var bench = try DeliveryBench()
        let first = bench.subscribe(1, credit: 1)
        let second = bench.subscribe(2, credit: 1)
        let third = bench.subscribe(3, credit: 0)
        let fourth = bench.subscribe(4, credit: 0)
        bench.frame()
        let job = try bench.need()
        #expect(bench.delivery.readyTurns.isEmpty)
        bench.credit(third)
        #expect(bench.delivery.readyTurns.isEmpty)
        bench.finish(job)
        bench.credit(fourth)
        #expect(bench.delivery.readyTurns.isEmpty)
        for id in [first, second, third, fourth] { #expect(bench.sequences(id) == [0]) }
    }

    @Test("A frame that comes while all encoders are busy replaces the one that waits")
    func encoderBusy() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 2)
        bench.frame()
        let first = try bench.need()
        bench.frame()
        bench.frame()
        let second = try bench.need()
        #expect(second.frame.sample.sequence == 2)
        bench.finish(first)
        bench.finish(second)
        #expect(bench.sequences(id) == [0, 2])
        #expect(bench.frames[id]?.last?.drops == DropCounts(.encoderBusy))
    }

    @Test("A result older than one already sent is dropped, counted, and its credit comes back")
    func outdated() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 2)
        bench.frame()
        let first = try bench.need()
        bench.frame()
        let second = try bench.need()
        bench.finish(second)
        bench.finish(first)
        #expect(bench.sequences(id) == [1])
        bench.frame()
        let third = try bench.need()
        bench.finish(third)
        #expect(bench.sequences(id) == [1, 2])
        bench.checkAccount(id)
    }

    @Test("A frame of before nobody watched is no frame for who comes next")
    func nobodyWatched() throws {
        var bench = try DeliveryBench()
        let first = bench.subscribe(1, credit: 1)
        bench.frame()
        bench.delivery.unsubscribed(first)
        bench.frame()
        let second = bench.subscribe(2, credit: 2)
        #expect(bench.delivery.readyTurns.isEmpty)
        bench.frame(lost: 5)
        bench.encodeAll(crediting: second)
        #expect(bench.frames[second] == [.init(sequence: 7, drops: DropCounts(), codec: .webp)])
    }

    @Test("A failed encode gives the credit back and counts as corrupt")
    func failedEncode() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1)
        bench.frame()
        bench.finish(try bench.need())
        bench.credit(id)
        bench.frame()
        bench.finish(try bench.need(), failing: true)
        bench.frame()
        bench.finish(try bench.need())
        #expect(bench.frames[id]?.last == .init(sequence: 2, drops: DropCounts(.corrupt), codec: .webp))
    }

    @Test("What the source lost arrives with the next frame, whatever became of the one between")
    func carriedDrops() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1)
        bench.frame()
        bench.finish(try bench.need())
        bench.frame(lost: 2)
        bench.frame(lost: 3)
        bench.credit(id)
        bench.finish(try bench.need())
        var expected = DropCounts(.source, 5)
        expected.add(.noCredit)
        #expect(bench.frames[id]?.last?.drops == expected)
        bench.checkAccount(id)
    }

    @Test("The first frame of an epoch carries no drops")
    func newEpoch() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1)
        bench.frame()
        bench.finish(try bench.need())
        bench.frame()
        bench.frame()
        bench.epoch = 2
        bench.sequence = 0
        bench.frame()
        bench.credit(id)
        bench.finish(try bench.need())
        #expect(bench.frames[id]?.last == .init(sequence: 0, drops: DropCounts(), codec: .webp))
    }

    @Test("A rate cap is kept evenly, and the frame it lets go is the newest", arguments: [10.0, 12, 15, 20, 25])
    func rateCap(rate: Double) throws {
        var bench = try DeliveryBench()
        var request = webp
        request.frameRateCap = FrameRate(UInt32(rate))
        let id = bench.subscribe(1, credit: 16, request)
        let seconds = 10
        for _ in 0..<(30 * seconds) {
            // The gate may open before the next frame comes.
            if let deadline = bench.delivery.deadline, deadline < bench.now.advanced(by: 33_333_333) {
                bench.delivery.timePassed(to: deadline)
                bench.encodeAll(crediting: id)
            }
            bench.frame()
            bench.encodeAll(crediting: id)
        }
        #expect(abs(bench.sequences(id).count - Int(rate) * seconds) <= 1)
        bench.checkAccount(id)
        let reasons = bench.frames[id, default: []].reduce(into: DropCounts()) { $0.add($1.drops) }
        #expect(reasons.total == reasons[.rateCap])
    }

    @Test("A camera's own JPEG goes through untouched; another size of it is encoded")
    func untouched() throws {
        var bench = try DeliveryBench(isJPEG: true)
        let whole = bench.subscribe(1, credit: 1, StreamRequest())
        var small = StreamRequest()
        small.size = PixelSize(width: 16, height: 16)
        let scaled = bench.subscribe(2, credit: 1, small)
        bench.frame()
        #expect(bench.sequences(whole) == [0])
        #expect(bench.frames[whole]?.first?.codec == .jpeg)
        #expect(bench.sequences(scaled) == [])
        let job = try bench.need()
        #expect(job.key.size == PixelSize(width: 16, height: 8))
        bench.finish(job)
        #expect(bench.sequences(scaled) == [0])
    }

    @Test("A live update changes the rendition; what was under way is a discontinuity")
    func update() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 2)
        bench.frame()
        bench.finish(try bench.need())
        bench.frame()
        let left = try bench.need()
        var request = webp
        request.quality = 30
        bench.delivery.updated(id, request, at: bench.now)
        bench.note()
        bench.finish(left)
        #expect(bench.sequences(id) == [0])
        bench.frame()
        bench.finish(try bench.need())
        #expect(bench.frames[id]?.last?.drops == DropCounts(.discontinuity))
        #expect(bench.grants[id]?.map(\.quality) == [80, 30])
        bench.checkAccount(id)
    }

    @Test("The end follows the last frame, even if its receiver is late, and carries the drops since")
    func ended() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1)
        bench.frame()
        bench.finish(try bench.need())
        bench.frame()
        bench.frame()
        bench.delivery.stateChanged(
            to: CaptureState(.ended, reason: .endOfFile, drops: DropCounts(.corrupt, 2)), at: bench.now)
        bench.note()
        #expect(bench.statuses[id] == nil)
        #expect(!bench.delivery.isDrained)
        bench.credit(id)
        bench.finish(try bench.need())
        #expect(bench.sequences(id) == [0, 2])
        #expect(bench.statuses[id]?.map(\.state) == [.ended])
        #expect(bench.statuses[id]?.first?.drops == DropCounts(.corrupt, 2))
        #expect(bench.delivery.isDrained)
    }

    @Test("Who comes to a source that will never play again is told that it has ended", arguments: [false, true])
    func endedForGood(isFinal: Bool) throws {
        var bench = try DeliveryBench()
        bench.delivery.stateChanged(
            to: CaptureState(.ended, reason: .corrupt, drops: DropCounts(.corrupt), isFinal: isFinal), at: bench.now)
        let id = bench.subscribe(1, credit: 1)
        #expect(bench.statuses[id]?.map(\.reason) == (isFinal ? [.corrupt] : nil))
        #expect(bench.statuses[id]?.first?.drops.isEmpty ?? true)
    }

    @Test("An interruption is told at once, and no frame of before it is new afterwards")
    func interrupted() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 0)
        bench.frame()
        bench.delivery.stateChanged(to: CaptureState(.interrupted, reason: .disconnected), at: bench.now)
        bench.note()
        #expect(bench.statuses[id]?.map(\.reason) == [.disconnected])
        bench.credit(id)
        #expect(bench.delivery.readyTurns.isEmpty)
    }

    @Test("The automatic codec leaves WebP when encoders do not keep up, holds, and tries it again")
    func automaticCodec() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 16, StreamRequest())
        var inHand: [EncodeJob] = []
        for number in 0..<(30 * 14) {
            bench.frame()
            // WebP takes three frames' time, JPEG less than one.
            if inHand.isEmpty, let job = bench.take() { inHand.append(job) }
            if let job = inHand.first, job.key.codec == .jpeg || number % 3 == 2 {
                bench.finish(job)
                bench.credit(id)
                inHand = []
            }
        }
        #expect(bench.codecChanges.first == .jpeg)
        #expect(bench.codecChanges.dropFirst().first == .webp)
        #expect(Set(bench.frames[id, default: []].map(\.codec)) == [.webp, .jpeg])
        bench.checkAccount(id)
    }

    @Test("A client that does not read holds a few frames, however much credit and however many streams it has")
    func stalledClient() throws {
        var bench = try DeliveryBench()
        let raw = StreamRequest(codecs: .inOrder([.raw]))
        let greedy = (0..<8 as Range<UInt64>).map { bench.subscribe($0, of: 1, credit: 16, raw) }
        let other = bench.subscribe(100, of: 2, credit: 16, raw)
        bench.stalled = [ClientID(number: 1)]
        for _ in 0..<100 {
            bench.frame()
            for id in greedy { bench.credit(id, 16) }
            bench.credit(other)
        }
        let held = greedy.reduce(0) { $0 + bench.sequences($1).count }
        #expect(held == bench.delivery.outboxCapacity)
        #expect(bench.sequences(other) == Array(0..<100))
        bench.resume(1)
        bench.frame()
        for id in greedy {
            #expect(bench.sequences(id).last == 100)
            bench.checkAccount(id)
        }
    }

    @Test("The place of a frame that came to nothing goes to whichever stream of the client waits for one")
    func freedPlace() throws {
        var bench = try DeliveryBench()
        var ids: [SubscriptionID] = []
        for number in 0...UInt64(bench.delivery.outboxCapacity) {
            var request = webp
            request.quality = UInt8(number)
            ids.append(bench.subscribe(number, of: 1, credit: 1, request))
        }
        bench.frame()
        let jobs = (0..<ids.count).compactMap { _ in bench.take() }
        #expect(jobs.count == bench.delivery.outboxCapacity)
        bench.finish(jobs[0], failing: true)
        let next = try bench.need()
        bench.finish(next)
        #expect(bench.sequences(ids[ids.count - 1]) == [0])
    }

    @Test("Requests that cannot be granted are refused with the reason")
    func refusals() throws {
        var bench = try DeliveryBench()
        var crop = webp
        crop.crop = PixelRectangle(x: 20, y: 0, size: PixelSize(width: 16, height: 16))
        let first = bench.subscribe(1, credit: 1, crop)
        #expect(bench.refusals[first]?.code == .invalidRequest)
        let second = bench.subscribe(2, credit: 1, accepted: [.raw])
        #expect(bench.refusals[second]?.code == .unsupportedCodec)
        bench.frame()
        #expect(bench.frames.isEmpty)
    }

    @Test("WebP by name is refused beyond its size; the automatic codec takes JPEG")
    func beyondWebP() throws {
        var bench = try DeliveryBench(size: PixelSize(width: 16384, height: 2))
        #expect(bench.refusals[bench.subscribe(1, credit: 1)]?.code == .unsupportedCodec)
        let id = bench.subscribe(2, credit: 1, StreamRequest())
        #expect(bench.grants[id]?.first?.codec == .jpeg)
    }
}
