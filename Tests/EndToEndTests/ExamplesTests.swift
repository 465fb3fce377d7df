import Foundation
import TestSupport
import Testing

@Suite("The examples")
struct ExamplesTests {
    @Test("The classic recipe writes a picture of each frame that it asks for")
    func classicRecipe() async throws {
        let folder = try TemporaryDirectory()
        let recipe = try await example("ClassicRecipe").run([folder.path, "1"])
        #expect(recipe.status == .exited(0), "\(recipe.standardError)")
        let names = try folder.fileNames
        #expect(names.count > 1, "\(recipe.text)")
        // At most 15 of the 30 frames a second are wanted.
        let sequences = names.compactMap { Int($0.dropLast(".jpg".count)) }.sorted()
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $1 - $0 >= 2 }, "\(recipe.text)")
        for name in names {
            #expect(recipe.text.contains("/\(name): "))
            let picture = try await SavedPicture(opening: folder.path(of: name))
            #expect((picture.codec, picture.width, picture.height) == ("mjpeg", 640, 360))
        }
    }

    @Test("A program's own pictures reach a vision worker, which sees what moves and nothing else")
    func pushSourceAndVisionWorker() async throws {
        let source = try await PushSource.start(example("PushSource"))
        let worker = try await example("VisionWorker").run([source.address, "20"])
        #expect(worker.status == .exited(0), "\(worker.standardError)")
        let motions = worker.text.matches(of: /frame (\d+), \S+ seconds old: motion in (\d+)x(\d+) at (\d+),(\d+)\n/)
        #expect(motions.count >= 19, "\(worker.text)")
        // The box of 40 by 40 at height 100 goes round: the cells of 16 by 16 that it touches are seen.
        #expect(motions.allSatisfy { $0.output.3 == "48" && $0.output.5 == "96" }, "\(worker.text)")
        #expect(Set(motions.map(\.output.4)).count > 1)
        try await source.process.stop()
    }

    @Test("A vision worker sees the motion in camserver's pictures")
    func visionWorker() async throws {
        let server = try await Server.start(["--source", "test:320x240"])
        let worker = try await example("VisionWorker").run([server.address, "10"])
        #expect(worker.status == .exited(0), "\(worker.standardError)")
        #expect(worker.text.contains("motion in "))
        try await server.process.stop()
    }

    @Test("The dataset collector keeps pictures with the time they were taken", arguments: ["0.01", "1000"])
    func datasetCollector(seconds: String) async throws {
        let folder = try TemporaryDirectory()
        // In the first case every picture is due, in the second those are kept that have changed.
        let server = try await Server.start(["--source", "test:320x240"])
        let collector = try await example("DatasetCollector").run([server.address, folder.path, seconds, "3"])
        #expect(collector.status == .exited(0), "\(collector.standardError)")
        #expect(try folder.fileNames == ["1.jpg", "2.jpg", "3.jpg"])
        for name in try folder.fileNames {
            let picture = try await SavedPicture(opening: folder.path(of: name))
            #expect((picture.codec, picture.width, picture.height) == ("mjpeg", 320, 240))
            let file = try Data(contentsOf: folder.url.appending(path: name))
            #expect(file.range(of: Data("+00:00".utf8)) != nil)
        }
        try await server.process.stop()
    }

    /// The examples' package, built once for all tests.
    private static let programs = Task {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let build = try await Program.script(sources.appending(path: "scripts/examples").path(percentEncoded: false))
            .run(within: .seconds(900))
        try #require(build.status == .exited(0), "\(build.standardError)")
        return URL(filePath: build.text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func example(_ name: String) async throws -> Program {
        try Program.script(try await Self.programs.value.appending(path: name).path(percentEncoded: false))
    }
}

/// The example that makes its own pictures, on any free port.
private struct PushSource {
    let process: RunningProgram
    let address: String

    static func start(_ program: Program) async throws -> PushSource {
        let process = try program.start(["0"])
        let line = try await process.standardOutput.line(containing: "listening on ")
        return PushSource(process: process, address: String(line.dropFirst("listening on ".count)))
    }
}
