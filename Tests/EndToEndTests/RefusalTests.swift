import Foundation
import TestSupport
import Testing

/// A program called in a way that it must refuse.
struct Refusal: CustomTestStringConvertible {
    let program: String
    let arguments: [String]
    let code: Int32
    /// A part of the message, so that it is the right one.
    let mentions: String

    var testDescription: String { "\(program) \(arguments.joined(separator: " "))" }

    static let all = [
        Refusal(program: "camserver", arguments: ["--fps", "0"], code: 64, mentions: "--fps"),
        Refusal(program: "camserver", arguments: ["--prot", "1"], code: 64, mentions: "Did you mean '--port'?"),
        Refusal(program: "camserver", arguments: ["--port", "70000"], code: 64, mentions: "0 to 65535"),
        Refusal(program: "camserver", arguments: ["--preset", "hgih"], code: 64, mentions: "'high'"),
        Refusal(program: "camserver", arguments: ["--quality", "101"], code: 64, mentions: "0 to 100"),
        Refusal(program: "camserver", arguments: ["--source", "/dev/video97"], code: 66, mentions: "/dev/video97"),
        Refusal(program: "camserver", arguments: ["--source", "/no/such/clip.y4m"], code: 66, mentions: "/no/such"),
        Refusal(program: "camserver", arguments: ["--source", "/etc/passwd"], code: 65, mentions: "/etc/passwd"),
        Refusal(program: "camclient", arguments: [], code: 64, mentions: "Missing expected argument"),
        Refusal(program: "camclient", arguments: ["host:99999"], code: 64, mentions: "host:99999"),
        Refusal(program: "camclient", arguments: ["localhost", "--codec", "gif"], code: 64, mentions: "gif"),
        Refusal(program: "camclient", arguments: ["localhost", "--size", "0x0"], code: 64, mentions: "0x0"),
        Refusal(program: "camclient", arguments: ["localhost", "--keep", "0"], code: 64, mentions: "--keep"),
        Refusal(
            program: "camclient", arguments: ["localhost", "--json", "--output", "-"], code: 64, mentions: "--output"),
        Refusal(
            program: "camclient", arguments: ["no-such-host.invalid", "--count", "1"], code: 68,
            mentions: "no-such-host.invalid"),
        Refusal(
            program: "camclient", arguments: ["127.0.0.1:1", "--no-reconnect"], code: 69, mentions: "127.0.0.1:1"),
    ]
}

@Suite("Refusals")
struct RefusalTests {
    @Test("Bad input gives one clear message and its exit code", arguments: Refusal.all)
    func refusal(refusal: Refusal) async throws {
        let result = try await Program.built(refusal.program).run(refusal.arguments)
        #expect(result.status == .exited(refusal.code), "\(result.standardError)")
        #expect(result.standardError.contains(refusal.mentions), "\(result.standardError)")
        #expect(result.standardOutput.isEmpty)
        if refusal.code == 64 {
            #expect(result.standardError.hasPrefix("Error: "))
            #expect(result.standardError.contains("Usage: \(refusal.program) "))
        } else {
            expectOneLine(result.standardError, from: refusal.program)
        }
    }

    @Test("A port that is taken is refused")
    func portTaken() async throws {
        let first = try await Server.start(["--source", "test:160x120"])
        let second = try await Program.camserver.run(
            ["--port", "\(first.port)", "--bind", "127.0.0.1", "--source", "test:160x120"])
        #expect(second.status == .exited(69))
        #expect(second.standardError.contains("\(first.port)"))
        expectOneLine(second.standardError, from: "camserver")
    }

    @Test("A camera that the server does not have is refused with those it has")
    func unknownCamera() async throws {
        let server = try await Server.start(["--source", "front=test:160x120"])
        let client = try await server.run(["--camera", "back", "--count", "1"])
        #expect(client.status == .exited(66))
        #expect(client.standardError.contains("back") && client.standardError.contains("front"))
    }

    @Test("A folder that cannot be created is refused before anything is received")
    func impossibleFolder() async throws {
        let folder = try TemporaryDirectory()
        try Data().write(to: folder.url.appending(path: "file"))
        let server = try await Server.start(["--source", "test:160x120"])
        let client = try await server.run(["--save", "--directory", folder.path(of: "file/below")])
        #expect(client.status == .exited(73), "\(client.standardError)")
        #expect(client.standardError.contains("Not a directory"))
        expectOneLine(client.standardError, from: "camclient")
    }

    @Test("A folder that may not be written to is refused before anything is received")
    func unwritableFolder() async throws {
        let folder = try TemporaryDirectory()
        let locked = folder.path(of: "locked")
        try FileManager.default.createDirectory(
            atPath: locked, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        let server = try await Server.start(["--source", "test:160x120"])
        let arguments = [server.address, "--save", "--directory", locked]
        let client =
            if geteuid() == 0 {
                // Root without its capabilities is bound by permissions like anyone else.
                try await Program.tool("setpriv").run(
                    ["--bounding-set=-all", "--inh-caps=-all", Program.camclient.path] + arguments)
            } else {
                try await Program.camclient.run(arguments)
            }
        #expect(client.status == .exited(73), "\(client.standardError)")
        #expect(client.standardError.contains("Permission denied"))
        expectOneLine(client.standardError, from: "camclient")
    }

    @Test("A full disk ends saving with what was whole")
    func fullDisk() async throws {
        let folder = try TemporaryDirectory()
        let server = try await Server.start(["--source", "test:320x240"])
        let client = try await Program.tool("unshare").run([
            "--mount", "--map-root-user", "sh", "-c",
            #"""
            mkdir "$1/disk" "$1/kept" && mount -t tmpfs -o size=128k tmpfs "$1/disk" || exit
            "$2" "$3" --save --directory "$1/disk" --codec raw; code=$?
            cp -a "$1/disk/." "$1/kept" && exit $code
            """#,
            "sh", folder.path, try Program.camclient.path, server.address,
        ])
        #expect(client.status == .exited(74), "\(client.standardError)")
        #expect(client.standardError.contains("No space left on device"))
        expectOneLine(client.standardError, from: "camclient")
        // Hidden ones, too: so are those called that are being written.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "kept"))
        #expect(!names.isEmpty)
        for name in names {
            #expect(name.hasPrefix("frame-") && name.hasSuffix(".png"), "\(name)")
            #expect(try await SavedPicture.luma(of: folder.path(of: "kept/\(name)")).count == 320 * 240, "\(name)")
        }
    }

    @Test("A client that speaks another protocol is turned away, and the others go on")
    func otherProtocol() async throws {
        let server = try await Server.start(["--source", "test:160x120"])
        let stranger = try await Program.tool("bash").run(
            [
                "-c",
                #"exec 3<>/dev/tcp/127.0.0.1/$0; printf 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' >&3; cat <&3 | wc -c"#,
                "\(server.port)",
            ])
        #expect(stranger.status == .exited(0))
        let client = try await server.run(["--count", "2", "--json"])
        #expect(try FrameReport.all(in: client.text).count == 2)
        #expect(server.process.standardError.text.contains("HTTP"))
    }

    @Test("A client turns away from what is no camserver")
    func otherServer() async throws {
        let stranger = try LoopbackListener(
            greeting: Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8) + Array(repeating: 0, count: 64))
        let address = "127.0.0.1:\(stranger.port)"
        let client = try await Program.camclient.run([address, "--count", "1"])
        #expect(client.status == .exited(76), "\(client.standardError)")
        #expect(client.standardError.contains(address))
        expectOneLine(client.standardError, from: "camclient")
    }

    /// Expects one line of the form `PROGRAM: SUBJECT: REASON; REMEDY`, and nothing else but what a program says that
    /// works.
    private func expectOneLine(_ text: String, from program: String) {
        let progress = [": running", " frames a second", "none dropped"]
        let lines = text.split(separator: "\n").filter { line in !progress.contains { line.hasSuffix($0) } }
        #expect(lines.count == 1, "\(text)")
        #expect(lines.allSatisfy { $0.hasPrefix("\(program): ") && $0.contains("; ") }, "\(text)")
    }
}
