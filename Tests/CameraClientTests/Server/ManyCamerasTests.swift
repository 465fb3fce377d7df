import CameraClient
import CameraDevices
import CameraServer
import Foundation
import Testing

/// Many remote cameras in one process.
@Suite(.timeLimit(.minutes(2)))
struct ManyCamerasTests {
    /// The names of the process's threads.
    private func threadNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
            // A thread may end meanwhile.
            FileManager.default.contents(atPath: "/proc/self/task/\(thread)/comm").map {
                String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
            }
        }
    }

    @Test func fortyCamerasShareTheDecoderThreads() async throws {
        let house = try StreamingHouse(
            TestPatternInput(size: PixelSize(width: 160, height: 120), frameRate: FrameRate(30)))
        let cameras = try (0..<40).map { _ in
            try RemoteCamera(house.endpoint, request: StreamRequest(codecs: .inOrder([.jpeg])))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for camera in cameras {
                group.addTask {
                    for _ in 0..<5 { _ = try await camera.next() }
                }
            }
            try await group.waitForAll()
        }
        let decoderCount = try threadNames().count { $0 == "camstream.decod" }
        #expect(1...ProcessInfo.processInfo.activeProcessorCount ~= decoderCount)
        house.close()
    }

    @Test func theThreeLines() async throws {
        let house = try StreamingHouse(
            TestPatternInput(size: PixelSize(width: 1280, height: 720), frameRate: FrameRate(30)))
        let address = "\(house.endpoint)"
        var sizes: [PixelSize] = []
        func detect(_ pixels: PixelBuffer) { sizes.append(pixels.size) }

        let camera = try await RemoteCamera(address, preset: .vga640x480)
        for try await frame in camera.frames {
            detect(frame.pixelBuffer)
            #expect(try Image(frame).captureTime == frame.captureTime)
            if sizes.count == 3 { break }
        }
        #expect(sizes == Array(repeating: PixelSize(width: 640, height: 360), count: 3))
        house.close()
    }
}
