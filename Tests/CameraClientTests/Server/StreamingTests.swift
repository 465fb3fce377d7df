import CameraCapture
import CameraClient
import CameraDevices
import CameraImaging
import CameraServer
import Foundation
import TestSupport
import Testing

/// The whole way: an input, a server, a client.
@Suite(.timeLimit(.minutes(2)))
struct StreamingTests {
    private static var testPattern: TestPatternInput {
        TestPatternInput(size: PixelSize(width: 160, height: 120), frameRate: FrameRate(100))
    }

    private func receive(_ count: Int, from camera: RemoteCamera) async throws -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while samples.count < count { samples.append(try await camera.nextSample()) }
        return samples
    }

    @Test(arguments: [
        CodecChoice.automatic, .inOrder([.webp]), .inOrder([.jpeg]), .inOrder([.raw]),
    ])
    func aLiveSourceArrivesAsPixels(codecs: CodecChoice) async throws {
        let house = try StreamingHouse(Self.testPattern)
        let camera = try RemoteCamera(house.endpoint, request: StreamRequest(codecs: codecs))
        let samples = try await receive(20, from: camera)
        #expect(samples.gapsEqualDrops)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.captureTime.host <= $1.captureTime.host })
        for sample in samples {
            #expect(sample.imageBuffer?.pixelFormat == .bgra32)
            #expect(sample.size == PixelSize(width: 160, height: 120))
            // Both ends have the same clock, so that the truth is known.
            #expect(sample.captureTime.host <= sample.capturedAt.advanced(by: sample.captureTimeUncertainty))
        }
        house.close()
    }

    @Test func anOrderedFileArrivesWholeAndUntouched() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "odd.y4m")
        let frames = (0..<50).map { frame in
            (0..<(33 * 17 + 2 * 17 * 9)).map { UInt8(truncatingIfNeeded: $0 * 7 + frame * 13) }
        }
        var file = Data("YUV4MPEG2 W33 H17 F30:1 Ip A1:1 C420jpeg\n".utf8)
        for frame in frames { file += Data("FRAME\n".utf8) + Data(frame) }
        try file.write(to: URL(filePath: path))

        let house = try StreamingHouse(Y4MInput(path: path))
        var options = RemoteCameraOptions()
        options.content = .nativePixels
        let camera = try RemoteCamera(
            house.endpoint, request: StreamRequest(codecs: .inOrder([.raw]), delivery: .ordered(depth: 4)),
            options: options)
        var received: [[UInt8]] = []
        for try await frame in camera.frames {
            #expect(frame.sequence == UInt64(received.count))
            #expect(frame.drops.isEmpty)
            received.append(frame.pixelBuffer.packedBytes())
        }
        #expect(received == frames)
        house.close()
    }

    @Test func aConsumerThatAsksIsEncodedForAndNobodyElse() async throws {
        let house = try StreamingHouse(Self.testPattern)
        var options = RemoteCameraOptions()
        options.pacing = .onDemand
        let camera = try RemoteCamera(house.endpoint, request: StreamRequest(), options: options)
        let samples = try await receive(5, from: camera)
        #expect(samples.gapsEqualDrops)
        #expect(house.server.statistics.encodedFrameCount == 5)
        #expect(camera.statistics.receivedCount == 5)
        house.close()
    }

    @Test func aServerThatComesBackIsANewEpoch() async throws {
        let first = try StreamingHouse(Self.testPattern)
        guard case .tcp(_, let port) = first.endpoint else { return }
        let camera = try RemoteCamera(first.endpoint, request: StreamRequest())
        var samples = try await receive(3, from: camera)
        first.close()
        let second = try StreamingHouse(Self.testPattern, port: port)
        let oldEpoch = samples[0].epoch
        repeat { samples.append(try await camera.nextSample()) } while samples.last?.epoch == oldEpoch
        samples += try await receive(3, from: camera)
        #expect(samples.gapsEqualDrops)
        #expect(Set(samples.map(\.epoch)).count == 2)
        #expect(camera.statistics.connectionCount == 2)
        second.close()
    }

    @Test func anUpdateChangesTheStream() async throws {
        let house = try StreamingHouse(Self.testPattern)
        let camera = try RemoteCamera(house.endpoint, request: StreamRequest(codecs: .inOrder([.jpeg])))
        var samples = try await receive(2, from: camera)
        let grant = try await camera.update { $0.size = PixelSize(width: 80, height: 60) }
        #expect(grant.size == PixelSize(width: 80, height: 60))
        repeat { samples.append(try await camera.nextSample()) } while samples.last?.size.width != 80
        #expect(samples.last?.size == PixelSize(width: 80, height: 60))
        samples += try await receive(2, from: camera)
        #expect(samples.gapsEqualDrops)
        house.close()
    }

    @Test func severalConsumersOfOneCameraShareItsEncoding() async throws {
        let house = try StreamingHouse(Self.testPattern)
        let cameras = try (0..<3).map { _ in
            try RemoteCamera(house.endpoint, request: StreamRequest(codecs: .inOrder([.jpeg])))
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for camera in cameras { group.addTask { try await receive(30, from: camera).gapsEqualDrops } }
            for try await isRight in group { #expect(isRight) }
        }
        let statistics = house.server.statistics
        #expect(statistics.encodedFrameCount < statistics.sentFrameCount)
        house.close()
    }
}
