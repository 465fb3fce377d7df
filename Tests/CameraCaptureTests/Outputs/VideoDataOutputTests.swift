import CameraCapture
import CameraMedia
import CameraProtocol
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite("A video data output", .timeLimit(.minutes(1)))
struct VideoDataOutputTests {
    /// Notes what it is called with, and waits in each frame's call until the test lets it go.
    final class Delegate: VideoDataOutputSampleBufferDelegate {
        struct Calls {
            var samples: [SampleBuffer] = []
            var drops = DropCounts()
            var isInside = false
            var wereConcurrent = false
        }

        let calls = Mutex(Calls())
        let began = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let waits: Bool
        let key: DispatchSpecificKey<Int>?

        init(waits: Bool = false, key: DispatchSpecificKey<Int>? = nil) {
            self.waits = waits
            self.key = key
        }

        private func enter() {
            if let key { #expect(DispatchQueue.getSpecific(key: key) == 1) }
            calls.withLock { calls in
                calls.wereConcurrent = calls.wereConcurrent || calls.isInside
                calls.isInside = true
            }
        }

        func captureOutput(
            _ output: VideoDataOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection
        ) {
            enter()
            calls.withLock { $0.samples.append(sample) }
            began.signal()
            if waits { gate.wait() }
            calls.withLock { $0.isInside = false }
        }

        func captureOutput(
            _ output: VideoDataOutput, didDrop samples: DroppedSamples, from connection: CaptureConnection
        ) {
            enter()
            calls.withLock {
                $0.drops.add(samples.drops)
                $0.isInside = false
            }
        }
    }

    let session = CaptureSession()
    let source = FrameSource(localizedName: "test", frameRate: .thirty)
    let output = VideoDataOutput()

    init() {
        session.addInput(source)
        session.addOutput(output)
    }

    /// A picture whose every pixel has the luma, in BT.601 limited range.
    private func push(luma: UInt8 = 126, width: Int = 64, height: Int = 48) throws {
        let buffer = try PixelBuffer(width: width, height: height, pixelFormat: .i420, colorimetry: .webp) { planes in
            planes[0].base.update(repeating: luma, count: planes[0].byteCount)
            for plane in planes.dropFirst() { plane.base.update(repeating: 128, count: plane.byteCount) }
        }
        try source.push(buffer)
    }

    @Test("hands out 32BGRA on the queue it was given")
    func recipe() async throws {
        let key = DispatchSpecificKey<Int>()
        let queue = DispatchQueue(label: "test")
        queue.setSpecific(key: key, value: 1)
        let delegate = Delegate(key: key)
        output.setSampleBufferDelegate(delegate, queue: queue)
        try session.start()
        try push()
        await Self.wait(for: delegate.began)
        let pixels = try #require(delegate.calls.withLock { $0.samples.first?.imageBuffer })
        #expect(pixels.pixelFormat == .bgra32)
        #expect(pixels.bytesPerRow >= 64 * 4)
        pixels.withBaseAddress { bytes in
            for component in 0..<3 { #expect(abs(Int(bytes[component]) - 128) <= 1) }
            #expect(bytes[3] == 255)
        }
    }

    @Test("scales, keeping the aspect when one side is given")
    func settings() async throws {
        let delegate = Delegate()
        output.videoSettings = VideoSettings(pixelFormat: .gray8, width: 32)
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
        try session.start()
        try push()
        await Self.wait(for: delegate.began)
        let pixels = try #require(delegate.calls.withLock { $0.samples.first?.imageBuffer })
        #expect(pixels.pixelFormat == .gray8)
        #expect(pixels.size == PixelSize(width: 32, height: 24))
    }

    @Test(
        "never calls concurrently, gives a busy delegate the newest frame, and counts the rest",
        arguments: [false, true])
    func busy(isConcurrent: Bool) async throws {
        let delegate = Delegate(waits: true)
        output.setSampleBufferDelegate(
            delegate, queue: DispatchQueue(label: "test", attributes: isConcurrent ? .concurrent : []))
        try session.start()
        try push()
        await Self.wait(for: delegate.began)
        for _ in 0..<10 { try push() }
        delegate.gate.signal()
        // Any of the later ones may be the newest converted by then; the last always comes.
        while delegate.calls.withLock({ $0.samples.last?.sequence }) != 10 {
            await Self.wait(for: delegate.began)
            delegate.gate.signal()
        }
        let (samples, drops, wereConcurrent) = delegate.calls.withLock { ($0.samples, $0.drops, $0.wereConcurrent) }
        #expect(!wereConcurrent)
        for (first, second) in zip(samples, samples.dropFirst()) {
            #expect(second.drops.total == second.sequence - first.sequence - 1)
        }
        #expect(drops.total == 11 - UInt64(samples.count))
    }

    @Test("A delegate that keeps its frames makes the output drop, and gets frames again when it lets go")
    func hoarding() async throws {
        let delegate = Delegate()
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
        try session.start()
        for _ in 0..<VideoDataOutput.bufferCount {
            try push()
            await Self.wait(for: delegate.began)
        }
        try push()
        while delegate.calls.withLock({ $0.drops[.outOfBuffers] }) == 0 { await Task.yield() }
        delegate.calls.withLock { $0.samples.removeAll() }
        try push()
        await Self.wait(for: delegate.began)
        #expect(delegate.calls.withLock { $0.samples.first?.drops[.outOfBuffers] } == 1)
    }

    @Test("No call begins after the session has stopped, not even one that waited for its turn")
    func stop() async throws {
        let delegate = Delegate()
        let queue = DispatchQueue(label: "test")
        let (isBlocked, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        queue.async {
            isBlocked.signal()
            gate.wait()
        }
        await Self.wait(for: isBlocked)
        output.setSampleBufferDelegate(delegate, queue: queue)
        try session.start()
        try push()
        session.stopRunning()
        gate.signal()
        queue.sync {}
        #expect(delegate.calls.withLock { $0.samples.isEmpty })
    }

    @Test("A delegate may stop the session from its own call")
    func stopFromCall() async throws {
        final class Stopper: VideoDataOutputSampleBufferDelegate {
            let session: CaptureSession
            let done = DispatchSemaphore(value: 0)

            init(_ session: CaptureSession) { self.session = session }

            func captureOutput(
                _ output: VideoDataOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection
            ) {
                session.stopRunning()
                done.signal()
            }
        }
        let stopper = Stopper(session)
        output.setSampleBufferDelegate(stopper, queue: DispatchQueue(label: "test"))
        try session.start()
        try push()
        await Self.wait(for: stopper.done)
        #expect(!session.isRunning)
    }

    @Test("A delegate that is gone is not called, and nothing is wanted for it")
    func goneDelegate() throws {
        var delegate: Delegate? = Delegate()
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
        try session.start()
        #expect(source.isWanted)
        delegate = nil
        try push()
        #expect(!source.isWanted)
    }

    @Test("A delegate set while another one is busy for ever is called all the same")
    func busyForEver() async throws {
        let busy = Delegate(waits: true)
        output.setSampleBufferDelegate(busy, queue: DispatchQueue(label: "busy"))
        try session.start()
        try push()
        await Self.wait(for: busy.began)
        let other = Delegate()
        output.setSampleBufferDelegate(other, queue: DispatchQueue(label: "other"))
        try push()
        await Self.wait(for: other.began)
        #expect(other.calls.withLock { $0.samples.map(\.sequence) } == [1])
        busy.gate.signal()
    }

    @Test("A delegate that goes away while frames wait leaves the output at rest")
    func goneWithFramesWaiting() async throws {
        var delegate: Delegate? = Delegate(waits: true)
        let (began, gate) = try (#require(delegate).began, #require(delegate).gate)
        weak let observed = delegate
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
        try session.start()
        try push()
        await Self.wait(for: began)
        try push()
        delegate = nil
        gate.signal()
        while observed != nil { await Task.yield() }
        while source.isWanted { await Task.yield() }
    }

    @Test("A sequence ends when another takes over, or the output leaves its session", arguments: [false, true])
    func sequenceEnds(isRemoved: Bool) async throws {
        try session.start()
        let (output, session) = (output, session)
        let waiting = Task {
            var iterator = output.sampleBuffers.makeAsyncIterator()
            return await iterator.next() == nil
        }
        while !source.isWanted { await Task.yield() }
        if isRemoved { session.removeOutput(output) } else { _ = output.sampleBuffers.makeAsyncIterator() }
        #expect(await waiting.value)
    }

    @Test("A capture time at the end of time is no reason to stop")
    func endOfTime() async throws {
        let delegate = Delegate()
        output.minFrameDuration = FrameDuration(1, 15)
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "test"))
        try session.start()
        let buffer = try PixelBuffer(width: 2, height: 2, pixelFormat: .gray8, colorimetry: .webp) { planes in
            for index in 0..<4 { planes[0].bytes[index] = 0 }
        }
        let end = HostTime(nanoseconds: .max - 1)
        try source.push(buffer, at: CaptureTime(host: end, utcNanoseconds: 0))
        await Self.wait(for: delegate.began)
        try source.push(buffer, at: CaptureTime(host: HostTime(nanoseconds: .max), utcNanoseconds: 0))
    }

    @Test("is an asynchronous sequence of the newest frames, which a cancelled task leaves")
    func sequence() async throws {
        try session.start()
        var iterator = output.sampleBuffers.makeAsyncIterator()
        try push()
        #expect(await iterator.next()?.sequence == 0)
        try push()
        #expect(await iterator.next()?.sequence == 1)
        let waiting = Task { [output] in
            for await _ in output.sampleBuffers {}
            return true
        }
        waiting.cancel()
        #expect(await waiting.value)
    }

    /// Waits off the cooperative threads.
    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
