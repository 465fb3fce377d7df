import Foundation
import TestSupport
import Testing

@Suite("Every frame of a file, in order")
struct ExactDeliveryTests {
    private static let raw = ["--delivery", "ordered", "--codec", "raw", "--output", "-", "--output-format", "y4m"]

    @Test(
        "Raw frames are the file's, bit for bit, odd sizes included",
        arguments: Clip.Sampling.allCases, [(64, 48), (67, 45)])
    func bitForBit(sampling: Clip.Sampling, size: (Int, Int)) async throws {
        let folder = try TemporaryDirectory()
        let clip = Clip(width: size.0, height: size.1, sampling: sampling, frameCount: 40)
        try Data(clip.file).write(to: folder.url.appending(path: "clip.y4m"))
        let server = try await Server.start(["--preset", "inputPriority", "--source", folder.path(of: "clip.y4m")])
        let client = try await server.run(Self.raw)
        #expect(client.status == .exited(0), "\(client.standardError)")
        #expect(clip.frames(of: client.standardOutput) == clip.frames)
    }

    @Test("A file plays again for the next client")
    func again() async throws {
        let folder = try TemporaryDirectory()
        let clip = Clip(width: 32, height: 24, frameCount: 10)
        try Data(clip.file).write(to: folder.url.appending(path: "clip.y4m"))
        let server = try await Server.start(["--preset", "inputPriority", "--source", folder.path(of: "clip.y4m")])
        for _ in 1...2 {
            let client = try await server.run(Self.raw)
            #expect(client.status == .exited(0), "\(client.standardError)")
            #expect(clip.frames(of: client.standardOutput) == clip.frames)
        }
    }

    @Test("Standard input is played once; after its last frame both programs end")
    func standardInput() async throws {
        let clip = Clip(width: 48, height: 32, frameCount: 25)
        let server = try await Server.start(["--preset", "inputPriority", "--source", "-"], input: .pipe)
        #expect(server.process.write(clip.file))
        server.process.endInput()
        let client = try await server.run(Self.raw)
        #expect(client.status == .exited(0), "\(client.standardError)")
        #expect(clip.frames(of: client.standardOutput) == clip.frames)
        #expect(try await server.process.exitStatus() == .exited(0))
    }

    @Test("Compressed frames are all there, each once", arguments: ["webp", "jpeg"])
    func compressed(codec: String) async throws {
        let folder = try TemporaryDirectory()
        let clip = Clip(width: 160, height: 120, frameCount: 60)
        try Data(clip.file).write(to: folder.url.appending(path: "clip.y4m"))
        let server = try await Server.start(["--preset", "inputPriority", "--source", folder.path(of: "clip.y4m")])
        let client = try await server.run(["--delivery", "ordered", "--codec", codec, "--json"])
        #expect(client.status == .exited(0), "\(client.standardError)")
        let frames = try FrameReport.all(in: client.text)
        #expect(frames.map(\.sequence) == Array(0..<60))
        #expect(frames.allSatisfy { $0.codec == codec && $0.dropped.isEmpty })
    }

    @Test("A file cut short is played as far as it is whole, and both programs say so")
    func cutShort() async throws {
        let folder = try TemporaryDirectory()
        let clip = Clip(width: 32, height: 24, frameCount: 5)
        try Data(clip.file.dropLast(100)).write(to: folder.url.appending(path: "clip.y4m"))
        let server = try await Server.start(["--preset", "inputPriority", "--source", folder.path(of: "clip.y4m")])
        let client = try await server.run(Self.raw)
        #expect(client.status == .exited(65), "\(client.standardError)")
        #expect(clip.frames(of: client.standardOutput) == Array(clip.frames.dropLast()))
        #expect(try await server.process.exitStatus() == .exited(65))
    }
}
