import Foundation
import TestSupport
import Testing

/// The real programs on real drivers, in a virtual machine: see Tests/Guest/README.md.
@Suite("On real drivers", .serialized)
struct GuestTests {
    /// What came back from one start of the virtual machine.
    struct Results: Sendable {
        let folder: TemporaryDirectory

        func reports(_ name: String) throws -> [FrameReport] {
            try FrameReport.all(in: String(contentsOfFile: folder.path(of: "\(name).json"), encoding: .utf8))
        }

        func file(of report: FrameReport) throws -> URL {
            // The guest names files by its own paths, /run/guest/results/…
            let path = try #require(report.file).split(separator: "/").suffix(2).joined(separator: "/")
            return folder.url.appending(path: path)
        }
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("vivid's formats arrive as pictures of its colour bars")
    func vivid() async throws {
        let formats = ["YUYV", "NV12", "RGB3", "GREY"]
        let results = try await Self.run(
            ["--timeout", "540"], script: "save-from-vivid", formats.map { "\($0):320x180@15" })
        for format in formats {
            let reports = try results.reports(format)
            #expect(reports.count == 5, "\(format)")
            #expect(reports.unexplainedGaps == [], "\(format)")
            #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.sequence < $1.sequence }, "\(format)")
            for report in reports {
                let path = try results.file(of: report).path(percentEncoded: false)
                let picture = try await SavedPicture(opening: path)
                #expect((picture.codec, picture.width, picture.height) == ("webp", 320, 180), "\(format)")
                try await expectColorBars(path, isGray: format == "GREY", "\(format)")
            }
        }
    }

    @Test("A webcam's own JPEG files arrive byte for byte, in order")
    func webcam() async throws {
        let folder = try TemporaryDirectory()
        let webcam = try await Self.compileWebcam(in: folder)
        let frames = try await Self.makeJPEGFiles(count: 7, in: folder)
        let results = try await Self.run(
            ["--no-vivid", "--uvc", "--timeout", "300"], script: "save-from-webcam", [webcam, "320x240"] + frames)

        let reports = try results.reports("frames")
        #expect(reports.count == 12)
        #expect(reports.unexplainedGaps == [])
        #expect(reports.allSatisfy { $0.codec == "jpeg" && ($0.width, $0.height) == (320, 240) })
        let originals = try frames.map { try Data(contentsOf: URL(filePath: $0)) }
        let played = try reports.map { report in
            try #require(originals.firstIndex(of: try Data(contentsOf: results.file(of: report))), "not as it was sent")
        }
        // The webcam plays its files in turn, so a frame's number says which file it must be.
        let offset = played[0] - Int(reports[0].sequence)
        for (report, index) in zip(reports, played) {
            #expect((Int(report.sequence) + offset - index) % originals.count == 0)
        }
    }

    @Test("The library's tests that need a camera pass")
    func library() async throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let results = try await Self.run(
            ["--timeout", "300"], script: "run-tests",
            [program, "--filter", "RealCameraTests"])
        let report = try String(contentsOfFile: results.folder.path(of: "report.txt"), encoding: .utf8)
        #expect(report.contains("Test run with 5 tests in 1 suite passed"), "\(report)")
        #expect(!report.contains("skipped"), "\(report)")
    }

    @Test("A webcam that is unplugged is waited for, and goes on in a new epoch when it is back")
    func replugged() async throws {
        let folder = try TemporaryDirectory()
        let webcam = try await Self.compileWebcam(in: folder)
        let frames = try await Self.makeJPEGFiles(count: 7, in: folder)
        let results = try await Self.run(
            ["--no-vivid", "--uvc", "--timeout", "300"], script: "replug-webcam", [webcam, "320x240"] + frames)

        let reports = try results.reports("frames")
        #expect(reports.count >= 10)
        #expect(reports.unexplainedGaps == [])
        let epochs = reports.map(\.epoch)
        #expect(Set(epochs).count == 2)
        #expect(epochs == epochs.sorted(), "Each epoch is one run of frames.")
        let originals = try frames.map { try Data(contentsOf: URL(filePath: $0)) }
        for report in reports { #expect(try originals.contains(Data(contentsOf: results.file(of: report)))) }
        let names = try FileManager.default.contentsOfDirectory(atPath: results.folder.path(of: "frames"))
        #expect(names.count == reports.count, "A file for each frame, none in part.")
        let messages = try String(contentsOf: results.folder.url.appending(path: "camclient.log"), encoding: .utf8)
        #expect(messages.split(separator: "it was unplugged; waiting for it to come back").count == 2)
        #expect(messages.contains("it is back"))
    }

    /// Runs a script of Tests/Guest in the virtual machine and brings back what it leaves.
    private static func run(_ options: [String], script: String, _ arguments: [String]) async throws -> Results {
        let folder = try TemporaryDirectory()
        let guest = sources.appending(path: "Tests/Guest")
        let programs = URL(filePath: try Program.camserver.path).deletingLastPathComponent().path(percentEncoded: false)
        let machine = try await Program.script(guest.appending(path: "v4l2-guest").path(percentEncoded: false)).run(
            options + [
                "--results", folder.path, "--", guest.appending(path: script).path(percentEncoded: false), programs,
            ] + arguments,
            within: .seconds(900))
        try #require(machine.status == .exited(0), "\(machine.text)\n\(machine.standardError)")
        return Results(folder: folder)
    }

    /// - Returns: The path of the webcam's program.
    private static func compileWebcam(in folder: TemporaryDirectory) async throws -> String {
        let webcam = folder.path(of: "uvc-webcam")
        let source = sources.appending(path: "Tests/Guest/uvc-webcam.c").path(percentEncoded: false)
        let compiler = try await Program.tool("gcc").run(["-O2", "-pthread", "-o", webcam, source])
        try #require(compiler.status == .exited(0), "\(compiler.standardError)")
        return webcam
    }

    /// Makes JPEG files that all differ.
    private static func makeJPEGFiles(count: Int, in folder: TemporaryDirectory) async throws -> [String] {
        let result = try await Program.tool("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15", "-frames:v", "\(count)",
            folder.path(of: "%d.jpg"),
        ])
        try #require(result.status == .exited(0), "\(result.standardError)")
        return (1...count).map { folder.path(of: "\($0).jpg") }
    }

    /// Expects the eight bars of vivid's picture, below the text in its upper part.
    private func expectColorBars(_ path: String, isGray: Bool, _ comment: Comment) async throws {
        let decoded = try await Program.tool("ffmpeg").run(
            ["-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
        try #require(decoded.standardOutput.count == 320 * 180 * 3, comment)
        let bars: [[Int]] =
            isGray
            ? [190, 176, 149, 136, 54, 40, 13, 0].map { [$0, $0, $0] }
            : [
                [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0], [0, 0, 191],
                [0, 0, 0],
            ]
        for (number, bar) in bars.enumerated() {
            let first = ((150 * 320) + number * 40 + 20) * 3
            let pixel = decoded.standardOutput[first..<(first + 3)].map(Int.init)
            #expect(
                zip(pixel, bar).allSatisfy { abs($0 - $1) <= 8 }, "\(comment): bar \(number) is \(pixel), not \(bar)")
        }
    }
}
