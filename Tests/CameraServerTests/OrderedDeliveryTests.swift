import CameraCapture
import CameraMedia
import CameraProtocol
import Testing

@testable import CameraServer

@Suite("Ordered delivery")
struct OrderedDeliveryTests {
    private let ordered = StreamRequest(codecs: .inOrder([.webp]), delivery: .ordered(depth: 4))

    @Test("Results are put back in order and none is lost")
    func order() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 4, ordered)
        for _ in 0..<3 { bench.frame() }
        let jobs = [bench.take(), bench.take(), bench.take()].compactMap { $0 }
        #expect(jobs.map(\.frame.sample.sequence) == [0, 1, 2])
        for job in jobs.reversed() { bench.finish(job) }
        #expect(bench.sequences(id) == [0, 1, 2])
    }

    @Test("Only what a client has credit for is encoded")
    func onDemand() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1, ordered)
        for _ in 0..<3 { bench.frame() }
        let job = try bench.need()
        #expect(bench.delivery.readyTurns.isEmpty)
        bench.finish(job)
        #expect(bench.delivery.readyTurns.isEmpty)
        bench.credit(id)
        let next = try bench.need()
        #expect(next.frame.sample.sequence == 1)
    }

    @Test("A full queue on a live source loses its oldest frame, counted as noCredit")
    func fullQueue() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1, ordered)
        bench.frame()
        bench.finish(try bench.need())
        for _ in 0..<6 { bench.frame() }
        #expect(!bench.delivery.demand.isOrderedReady)
        bench.credit(id, 4)
        while let job = bench.take() { bench.finish(job) }
        #expect(bench.sequences(id) == [0, 3, 4, 5, 6])
        #expect(bench.frames[id]?[1].drops == DropCounts(.noCredit, 2))
        bench.checkAccount(id)
    }

    @Test("What is lost because a connection takes nothing is counted as noCredit, whatever credit there is")
    func stalledConnection() throws {
        var bench = try DeliveryBench()
        let raw = StreamRequest(codecs: .inOrder([.raw]), delivery: .ordered(depth: 4))
        let id = bench.subscribe(1, credit: 16, raw)
        bench.stalled = [ClientID(number: 1)]
        for _ in 0..<64 {
            bench.frame()
            bench.credit(id, 16)
        }
        bench.resume(1)
        bench.frame()
        #expect(bench.sequences(id).last == 64)
        let drops = bench.frames[id, default: []].reduce(into: DropCounts()) { $0.add($1.drops) }
        #expect(drops.total > 0)
        #expect(drops.total == drops[.noCredit])
        bench.checkAccount(id)
    }

    @Test("A file is asked for no more frames than every ordered stream has room for")
    func room() throws {
        var bench = try DeliveryBench()
        _ = bench.subscribe(1, credit: 1, ordered)
        _ = bench.subscribe(2, credit: 0, StreamRequest(codecs: .inOrder([.webp]), delivery: .ordered(depth: 2)))
        #expect(bench.delivery.room == 2)
        bench.frame()
        #expect(bench.delivery.room == 1)
        bench.frame()
        #expect(bench.delivery.room == 0)
    }

    @Test("The end comes after the queue")
    func ended() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 1, ordered)
        bench.frame()
        bench.frame()
        bench.delivery.stateChanged(to: CaptureState(.ended, reason: .endOfFile), at: bench.now)
        bench.note()
        bench.finish(try bench.need())
        #expect(bench.statuses[id] == nil)
        bench.credit(id)
        bench.finish(try bench.need())
        #expect(bench.sequences(id) == [0, 1])
        #expect(bench.statuses[id]?.map(\.reason) == [.endOfFile])
    }

    @Test("A rate cap decimates by the frames' own time")
    func rateCap() throws {
        var bench = try DeliveryBench()
        var request = StreamRequest(codecs: .inOrder([.raw]), delivery: .ordered(depth: 8))
        request.frameRateCap = FrameRate(10)
        let id = bench.subscribe(1, credit: 16, request)
        // As fast as a file can be read.
        for _ in 0..<30 {
            bench.frame(after: 1)
            bench.credit(id)
        }
        #expect(bench.sequences(id) == [0, 3, 6, 9, 12, 15, 18, 21, 24, 27])
        bench.checkAccount(id)
    }

    @Test("A rate cap begins anew with an epoch")
    func rateCapInNewEpoch() throws {
        var bench = try DeliveryBench()
        var request = StreamRequest(codecs: .inOrder([.raw]), delivery: .ordered(depth: 8))
        request.frameRateCap = FrameRate(15)
        let id = bench.subscribe(1, credit: 16, request)
        for epoch in 1...2 as ClosedRange<UInt64> {
            bench.epoch = epoch
            bench.sequence = 0
            for _ in 0..<6 {
                bench.frame()
                bench.credit(id)
            }
        }
        #expect(bench.sequences(id) == [0, 2, 4, 0, 2, 4])
    }

    @Test("The automatic codec of a stream that wants every frame is WebP, whatever others need")
    func automaticCodec() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 16, StreamRequest(delivery: .ordered(depth: 4)))
        let latest = bench.subscribe(2, credit: 16, StreamRequest())
        for _ in 0..<100 { bench.frame() }
        #expect(bench.grants[latest]?.map(\.codec) == [.webp, .jpeg])
        #expect(bench.grants[id]?.map(\.codec) == [.webp])
    }

    @Test("A queue is no deeper than the source has buffers for, and the grant says so")
    func depth() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 0, StreamRequest(codecs: .inOrder([.webp]), delivery: .ordered(depth: 64)))
        #expect(bench.grants[id]?.first?.delivery == .ordered(depth: 16))
        for _ in 0..<64 { bench.frame() }
        #expect(bench.delivery.renditions.values.first?.ordered.count == 16)
    }

    @Test("A change of format loses no frame that was under way, and is told behind it")
    func formatChange() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 4, ordered)
        bench.frame()
        bench.frame()
        let first = try bench.need()
        bench.delivery.formatChanged(
            to: CaptureFormat(
                size: PixelSize(width: 64, height: 16), frameRate: .thirty, pixelFormat: .i420, colorimetry: .webp),
            at: bench.now)
        bench.epoch = 2
        bench.sequence = 0
        bench.frame()
        #expect(bench.grants[id]?.count == 1)
        bench.finish(first)
        while let job = bench.take() { bench.finish(job) }
        #expect(bench.sequences(id) == [0, 1, 0])
        #expect(bench.grants[id]?.map(\.size.width) == [32, 64])
        bench.delivery.unsubscribed(id)
        #expect(bench.delivery.renditions.isEmpty)
    }

    @Test("A frame that cannot be encoded is counted with the next, at the end with the status")
    func failedEncode() throws {
        var bench = try DeliveryBench()
        let id = bench.subscribe(1, credit: 4, ordered)
        for _ in 0..<3 { bench.frame() }
        bench.finish(try bench.need())
        bench.finish(try bench.need(), failing: true)
        bench.finish(try bench.need())
        #expect(bench.frames[id]?.last == .init(sequence: 2, drops: DropCounts(.corrupt), codec: .webp))
        bench.frame()
        bench.delivery.stateChanged(to: CaptureState(.ended, reason: .endOfFile), at: bench.now)
        bench.finish(try bench.need(), failing: true)
        #expect(bench.statuses[id]?.first?.drops == DropCounts(.corrupt))
    }
}
