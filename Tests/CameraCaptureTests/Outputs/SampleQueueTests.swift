import CameraMedia
import CameraProtocol
import TestSupport
import Testing

@testable import CameraCapture

@Suite("The queue of a video data output")
struct SampleQueueTests {
    /// The queue with a camera, a worker and a delegate that the test plays.
    struct Bench {
        var queue: SampleQueue
        var epoch: UInt64 = 1
        var sequence: UInt64 = 0
        var time: UInt64 = 1_000_000_000
        var outputs: [SampleBuffer] = []
        var told = DropCounts()
        private let content: SampleBuffer.Content

        init(depth: Int = 1, replacesOldest: Bool = true, minFrameDuration: FrameDuration? = nil) throws {
            queue = SampleQueue(
                SampleQueue.Policy(depth: depth, replacesOldest: replacesOldest, minFrameDuration: minFrameDuration))
            content = .pixels(
                try PixelBuffer(width: 1, height: 1, pixelFormat: .gray8, colorimetry: .webp) { $0[0].base.pointee = 0 }
            )
        }

        mutating func frame(lost: UInt64 = 0) {
            sequence += lost
            time += 33_333_333
            queue.arrived(
                SampleBuffer(
                    content: content, position: FramePosition(epoch: epoch, sequence: sequence),
                    captureTime: CaptureTime(host: HostTime(nanoseconds: time), utcNanoseconds: time),
                    capturedAt: HostTime(nanoseconds: time), drops: DropCounts(.source, lost)))
            sequence += 1
        }

        mutating func convert(failing reason: DropReason? = nil) {
            guard queue.nextToConvert() != nil else { return }
            queue.finishedConverting(reason.map { .failure(ConversionFailure(reason: $0)) } ?? .success(content))
        }

        /// The delegate's turn, for at most so many calls.
        mutating func turn(calls: Int = .max) {
            guard queue.needsTurn() else { return }
            for _ in 0..<calls {
                switch queue.nextCall() {
                case .dropped(let samples): told.add(samples.drops)
                case .output(let sample): outputs.append(sample)
                case .ended: break
                case nil: return
                }
            }
            queue.turnEnded()
        }

        func checkAccount(sourceLocation: SourceLocation = #_sourceLocation) {
            for (first, second) in zip(outputs, outputs.dropFirst()) where first.epoch == second.epoch {
                #expect(
                    second.drops.total == second.sequence - first.sequence - 1, sourceLocation: sourceLocation)
            }
        }
    }

    @Test("A busy delegate finds the newest frame, and is told once what it missed")
    func newest() throws {
        var bench = try Bench()
        bench.frame()
        bench.convert()
        bench.turn()
        for _ in 0..<5 {
            bench.frame()
            bench.convert()
        }
        bench.turn()
        #expect(bench.outputs.map(\.sequence) == [0, 5])
        #expect(bench.outputs.last?.drops == DropCounts(.lateData, 4))
        #expect(bench.told == DropCounts(.lateData, 4))
    }

    @Test("Frames that may not be discarded wait, and those that find no place are dropped")
    func keeping() throws {
        var bench = try Bench(depth: 2, replacesOldest: false)
        for _ in 0..<8 {
            bench.frame()
            bench.convert()
        }
        #expect(!bench.queue.hasRoom)
        for _ in 0..<4 {
            bench.turn()
            bench.convert()
        }
        #expect(bench.outputs.map(\.sequence) == [0, 1, 2, 3])
        bench.frame()
        bench.convert()
        bench.turn()
        #expect(bench.outputs.last?.sequence == 8)
        #expect(bench.outputs.last?.drops == DropCounts(.outOfBuffers, 4))
    }

    @Test("A least duration between frames is a cap on their rate")
    func cap() throws {
        var bench = try Bench(minFrameDuration: FrameDuration(1, 15))
        for _ in 0..<30 {
            bench.frame()
            bench.convert()
            bench.turn()
        }
        #expect(bench.outputs.map(\.sequence) == (0..<15).map { $0 * 2 })
        #expect(bench.told == DropCounts(.rateCap, 15))
    }

    @Test("The end is told once, after the last frame")
    func end() throws {
        var bench = try Bench()
        bench.frame()
        bench.queue.ended()
        let early = bench.queue.needsTurn()
        #expect(!early)
        bench.convert()
        let isDue = bench.queue.needsTurn()
        #expect(isDue)
        var calls: [String] = []
        while let call = bench.queue.nextCall() {
            switch call {
            case .dropped: calls.append("dropped")
            case .output: calls.append("output")
            case .ended: calls.append("ended")
            }
        }
        #expect(calls == ["output", "ended"])
        let again = bench.queue.needsTurn()
        #expect(!again)
    }

    @Test("Gaps equal the drops carried and told, in whatever order things happen", arguments: 0..<100 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let replaces = seed % 2 == 0
        var bench = try Bench(depth: replaces ? 1 : 3, replacesOldest: replaces)
        for _ in 0..<500 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4: bench.frame(lost: Int.random(in: 0..<6, using: &random) == 0 ? 2 : 0)
            case 4..<7: bench.convert()
            case 7: bench.convert(failing: .corrupt)
            case 8..<11: bench.turn(calls: Int.random(in: 1...4, using: &random))
            default:
                if Int.random(in: 0..<10, using: &random) == 0 {
                    bench.queue.change(
                        to: SampleQueue.Policy(
                            depth: Int.random(in: 1...3, using: &random), replacesOldest: replaces,
                            minFrameDuration: Bool.random(using: &random) ? FrameDuration(1, 20) : nil))
                }
            }
        }
        for _ in 0..<8 {
            bench.convert()
            bench.turn()
        }
        bench.checkAccount()
        let first = try #require(bench.outputs.first)
        let last = try #require(bench.outputs.last)
        // What was told covers every gap, those before the first and after the last frame included.
        let gaps = bench.sequence - UInt64(bench.outputs.count)
        #expect(bench.told.total == gaps, "\(first.sequence)...\(last.sequence) of \(bench.sequence)")
    }
}
