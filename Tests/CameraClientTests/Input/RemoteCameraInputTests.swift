import CameraCapture
import CameraClient
import CameraDevices
import CameraServer
import Dispatch
import Synchronization
import TestSupport
import Testing

/// A remote camera in a capture session.
@Suite(.timeLimit(.minutes(2)))
struct RemoteCameraInputTests {
    private static var testPattern: TestPatternInput {
        TestPatternInput(size: PixelSize(width: 160, height: 120), frameRate: FrameRate(60))
    }

    /// Runs what blocks beside the cooperative threads.
    private func block<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private func session(
        _ input: RemoteCameraInput, _ output: any CaptureOutput
    ) -> CaptureSession {
        let session = CaptureSession()
        session.addInput(input)
        session.addOutput(output)
        return session
    }

    private func freeEndpoint() async throws -> Endpoint {
        let server = try await TestServer.start()
        await server.stop()
        return server.endpoint
    }

    /// The classic recipe's delegate; it keeps frames, so a few have to do.
    private final class Delegate: VideoDataOutputSampleBufferDelegate {
        let samples = Mutex<[SampleBuffer]>([])
        let cameEnough = DispatchSemaphore(value: 0)

        func captureOutput(
            _ output: VideoDataOutput, didOutput sampleBuffer: SampleBuffer, from connection: CaptureConnection
        ) {
            let count = samples.withLock { samples in
                samples.append(sampleBuffer)
                return samples.count
            }
            if count == 5 { cameEnough.signal() }
        }
    }

    @Test func theClassicRecipe() async throws {
        let house = try StreamingHouse(Self.testPattern)
        let address = "\(house.endpoint)"
        let delegate = Delegate()
        try await block {
            let session = CaptureSession()
            session.sessionPreset = .medium
            session.addInput(try RemoteCameraInput(address))
            let output = VideoDataOutput()
            output.videoSettings.pixelFormat = .bgra32
            output.minFrameDuration = FrameDuration(1, 15)
            output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "frames"))
            session.addOutput(output)
            try session.start()
            delegate.cameEnough.wait()
            session.stopRunning()
        }
        let samples = delegate.samples.withLock { $0 }
        #expect(samples.gapsEqualDrops)
        #expect(samples.allSatisfy { $0.imageBuffer?.pixelFormat == .bgra32 })
        #expect(samples.allSatisfy { $0.size == PixelSize(width: 160, height: 120) })
        #expect(samples.allSatisfy { $0.sourceName == "Camera" })
        house.close()
    }

    @Test func otherOutputsGetWhatWasReceived() async throws {
        let house = try StreamingHouse(Self.testPattern)
        let output = RecordingOutput()
        let input = RemoteCameraInput(house.endpoint, request: StreamRequest(codecs: .inOrder([.jpeg])))
        let session = session(input, output)
        let samples = try await block {
            try session.start()
            defer { session.stopRunning() }
            return output.waitForSamples(10)
        }
        #expect(samples.gapsEqualDrops)
        #expect(samples.allSatisfy { $0.transfer?.codec == .jpeg && $0.imageBuffer == nil })
        let format = try #require(output.formats.first)
        #expect(format.size == PixelSize(width: 160, height: 120))
        #expect(format.codec == .jpeg)
        #expect(output.states.map(\.state) == [.idle, .starting, .running, .idle])
        #expect(input.statistics == nil)
        house.close()
    }

    @Test func aServerThatComesAndGoesInterrupts() async throws {
        let endpoint = try await freeEndpoint()
        guard case .tcp(_, let port) = endpoint else { return }
        let output = RecordingOutput()
        let session = session(RemoteCameraInput(endpoint), output)
        try await block {
            try session.start()
            #expect(output.waitForState(.interrupted)?.reason == .disconnected)
            let first = try StreamingHouse(Self.testPattern, port: port)
            let epoch = output.waitForSamples(3).first?.epoch
            output.clear()
            first.close()
            _ = output.waitForState(.interrupted)
            let second = try StreamingHouse(Self.testPattern, port: port)
            _ = output.waitForState(.running)
            let samples = output.waitForSamples(3)
            #expect(samples.last?.epoch != epoch)
            #expect(session.isRunning)
            session.stopRunning()
            second.close()
        }
    }

    @Test func nobodyWantsFramesNoneAreAskedFor() async throws {
        let server = try await TestServer.start()
        let output = RecordingOutput(demand: CaptureDemand())
        let session = session(RemoteCameraInput(server.endpoint), output)
        async let started: Void = block { try session.start() }
        let peer = try await server.nextPeer()
        let subscribe = try await peer.serve()
        #expect(subscribe.credit == 0)
        #expect(subscribe.request.preset == .high)
        try await started
        #expect(await peer.credit == 0)
        output.setDemand(CaptureDemand(arrivals: 1, latestCount: 1, isLatestReady: true))
        await peer.waitForCredit(1)
        await peer.send(epoch: 3, sequence: 5)
        let samples = try await block { output.waitForSamples(1) }
        #expect(samples.map(\.sequence) == [5])
        try await block { session.stopRunning() }
        await peer.waitForClose()
        await server.stop()
    }

    @Test func theEndFollowsTheLastFrame() async throws {
        let server = try await TestServer.start()
        let output = RecordingOutput()
        var options = RemoteCameraOptions()
        options.pacing = .streaming
        let session = session(RemoteCameraInput(server.endpoint, options: options), output)
        async let started: Void = block { try session.start() }
        let peer = try await server.nextPeer()
        _ = try await peer.serve()
        try await started
        await peer.send(epoch: 3, sequence: 5)
        await peer.send(
            .status(CameraStatus(camera: "camera", state: .ended, reason: .endOfFile, text: "done")), stream: 1)
        let end = try await block { output.waitForState(.ended) }
        #expect(end?.reason == .endOfFile)
        #expect(end?.text == "done")
        #expect(output.samples.map(\.sequence) == [5])
        try await block { session.stopRunning() }
        await server.stop()
    }

    @Test func whatIsNoUseIsThrown() async throws {
        #expect(throws: RemoteCameraError.self) { try RemoteCameraInput("not an address") }
        let house = try StreamingHouse(Self.testPattern)
        let session = session(RemoteCameraInput(house.endpoint, camera: "attic"), RecordingOutput())
        let error = await #expect(throws: RemoteCameraError.self) { try await block { try session.start() } }
        #expect(error?.code == .unknownCamera)
        #expect(!session.isRunning)
        house.close()
    }

    @Test func canBeStoppedWhileReconnectingAndIsFreed() async throws {
        let endpoint = try await freeEndpoint()
        let freed = WeakReferences()
        try await block {
            let input = RemoteCameraInput(endpoint)
            let output = RecordingOutput()
            freed.objects.withLock { $0 = [WeakReference(object: input), WeakReference(object: output)] }
            let session = session(input, output)
            for _ in 0..<3 {
                try session.start()
                session.stopRunning()
            }
            // Left running, without a reference.
            try session.start()
        }
        try await eventually { freed.objects.withLock { $0.allSatisfy { $0.object == nil } } }
    }

    private struct WeakReference {
        weak var object: (any AnyObject & Sendable)?
    }

    private final class WeakReferences: Sendable {
        let objects = Mutex<[WeakReference]>([])
    }
}
