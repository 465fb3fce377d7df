import Foundation
import TestSupport
import Testing

@Suite("The main job")
struct MainJobTests {
    @Test("camclient saves the frames of camserver as files that other programs open")
    func save() async throws {
        let folder = try TemporaryDirectory()
        let server = try await Server.start(["--source", "test:320x240@30"])
        let client = try await server.run(["--save", "--directory", folder.path, "--count", "12", "--json"])
        #expect(client.status == .exited(0), "\(client.standardError)")
        let frames = try FrameReport.all(in: client.text)
        #expect(frames.count == 12)
        #expect(frames.unexplainedGaps == [])
        #expect(frames.allSatisfy { ($0.width, $0.height) == (320, 240) })
        #expect(frames.allSatisfy { $0.ageMilliseconds > 0 })

        let names = try folder.fileNames
        #expect(names == frames.compactMap { $0.file.map { URL(filePath: $0).lastPathComponent } })
        for (name, frame) in zip(names, frames) {
            let pattern = /frame-\d{8}T\d{6}\.\d{6}Z-(\d{8})\.(webp|jpg)/
            let match = try #require(try pattern.wholeMatch(in: name), "\(name)")
            #expect(UInt64(match.output.1) == frame.sequence)
            let picture = try await SavedPicture(opening: folder.path(of: name))
            #expect((picture.width, picture.height) == (320, 240))
        }
        #expect(try await server.process.stop() == .exited(0))
    }

    @Test("A frame is saved in the format asked for", arguments: [("jpeg", "mjpeg"), ("png", "png"), ("webp", "webp")])
    func format(name: String, codec: String) async throws {
        let folder = try TemporaryDirectory()
        let server = try await Server.start(["--source", "test:161x121"])
        let client = try await server.run(
            ["--save", "--directory", folder.path, "--count", "2", "--codec", "raw", "--format", name])
        #expect(client.status == .exited(0), "\(client.standardError)")
        let names = try folder.fileNames
        #expect(names.count == 2)
        for name in names {
            let picture = try await SavedPicture(opening: folder.path(of: name))
            #expect(picture.codec == codec)
            #expect((picture.width, picture.height) == (161, 121))
        }
    }

    @Test("Only the newest files are kept, and only every so many frames")
    func keepAndEvery() async throws {
        let folder = try TemporaryDirectory()
        let server = try await Server.start(["--source", "test:160x120@60"])
        let client = try await server.run(
            ["--save", "--directory", folder.path, "--count", "6", "--keep", "2", "--every", "3", "--json"])
        #expect(client.status == .exited(0), "\(client.standardError)")
        let frames = try FrameReport.all(in: client.text)
        #expect(frames.count == 6)
        #expect(frames.unexplainedGaps == [])
        #expect(frames.dropFirst().allSatisfy { $0.dropped["rateCap", default: 0] >= 2 })
        #expect(
            try folder.fileNames == frames.suffix(2).compactMap { $0.file.map { URL(filePath: $0).lastPathComponent } })
    }

    @Test("A client gets the size, codec and quality it asks for")
    func rendition() async throws {
        let server = try await Server.start(["--source", "test:640x480"])
        let client = try await server.run(["--size", "200x200", "--codec", "jpeg", "--count", "3", "--json"])
        #expect(client.status == .exited(0), "\(client.standardError)")
        let frames = try FrameReport.all(in: client.text)
        #expect(frames.map(\.codec) == ["jpeg", "jpeg", "jpeg"])
        #expect(frames.allSatisfy { ($0.width, $0.height) == (200, 150) })
    }

    @Test("The cameras are listed")
    func list() async throws {
        let server = try await Server.start(["--source", "front=test:320x240", "--source", "back=test:160x120"])
        let client = try await server.run(["--list"])
        #expect(client.status == .exited(0), "\(client.standardError)")
        #expect(client.text.contains("front"))
        #expect(client.text.contains("back"))
        let chosen = try await server.run(["--camera", "back", "--count", "1", "--json"])
        #expect(try FrameReport.all(in: chosen.text).map(\.width) == [160])
    }
}
