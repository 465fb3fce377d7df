import Foundation
import TestSupport
import Testing

@Suite("Listening, and ending")
struct ConnectionTests {
    @Test("A socket file is served, a stale one replaced, a live one respected, and none left behind")
    func unixSocket() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "camera.socket")
        let arguments = ["--unix", path, "--source", "test:160x120"]
        let killed = try Program.camserver.start(arguments)
        _ = try await killed.standardError.line(containing: "listening on ")
        killed.send(SIGKILL)
        _ = try await killed.exitStatus()
        #expect(try folder.fileNames == ["camera.socket"])

        let server = try Program.camserver.start(arguments)
        _ = try await server.standardError.line(containing: "listening on ")
        let second = try await Program.camserver.run(arguments)
        #expect(second.status == .exited(69), "\(second.standardError)")
        #expect(second.standardError.contains(path))
        let client = try await Program.camclient.run(["unix:\(path)", "--count", "2", "--json"])
        #expect(try FrameReport.all(in: client.text).count == 2, "\(client.standardError)")
        #expect(try await server.stop() == .exited(0))
        #expect(try folder.fileNames == [])
    }

    @Test("A client too many is refused, until another has gone")
    func tooManyClients() async throws {
        let server = try await Server.start(["--source", "test:160x120", "--max-clients", "1"])
        let first = try server.start(["--json"])
        _ = try await first.standardOutput.line(containing: "sequence")
        let second = try await server.run(["--count", "1", "--no-reconnect"])
        #expect(second.status == .exited(69), "\(second.standardError)")
        let waiting = try server.start(["--count", "1", "--json"])
        _ = try await waiting.standardError.line(containing: server.address)
        #expect(try await first.stop() == .exited(0))
        #expect(try await waiting.exitStatus() == .exited(0))
    }

    @Test("A reader that closes the pipe ends the client quietly")
    func closedPipe() async throws {
        let server = try await Server.start(["--source", "test:160x120"])
        let shell = try await Program.tool("bash").run([
            "-c", #""$0" "$1" --output - | head -c 100000 | wc -c; exit ${PIPESTATUS[0]}"#,
            try Program.camclient.path, server.address,
        ])
        #expect(shell.status == .exited(0), "\(shell.standardError)")
        #expect(shell.text == "100000\n")
        #expect(!shell.standardError.contains("ipe"), "\(shell.standardError)")
    }

    @Test("SIGINT and SIGTERM end both programs with 0", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) async throws {
        let server = try await Server.start(["--source", "test:160x120"])
        let client = try server.start(["--json"])
        _ = try await client.standardOutput.line(containing: "sequence")
        client.send(signal)
        #expect(try await client.exitStatus() == .exited(0))
        let other = try server.start(["--json"])
        _ = try await other.standardOutput.line(containing: "sequence")
        server.process.send(signal)
        #expect(try await server.process.exitStatus() == .exited(0))
        other.send(signal)
        #expect(try await other.exitStatus() == .exited(0))
    }

    @Test("A log in JSON is one object a line")
    func jsonLog() async throws {
        let server = try await Server.start([
            "--source", "test:160x120", "--log-format", "json", "--log-level", "debug",
        ])
        let client = try await server.run(["--count", "1"])
        #expect(client.status == .exited(0))
        #expect(try await server.process.stop() == .exited(0))
        let lines = server.process.standardError.text.split(separator: "\n")
        #expect(lines.count > 1)
        for line in lines {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any], "\(line)")
        }
    }

    @Test("Video that ffmpeg writes to camserver comes out of camclient as video that ffmpeg reads")
    func ffmpeg() async throws {
        let folder = try TemporaryDirectory()
        let source = try await Program.tool("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25", "-frames:v", "20", "-pix_fmt",
            "yuv420p", folder.path(of: "source.y4m"),
        ])
        try #require(source.status == .exited(0), "\(source.standardError)")
        let server = try await Server.start(["--source", "-"], input: .file(folder.path(of: "source.y4m")))
        let client = try await server.run(
            ["--delivery", "ordered", "--output", folder.path(of: "copy.mjpeg"), "--output-format", "mjpeg"])
        #expect(client.status == .exited(0), "\(client.standardError)")
        let probe = try await Program.tool("ffprobe").run([
            "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,width,height,nb_read_frames", "-of",
            "csv=p=0", folder.path(of: "copy.mjpeg"),
        ])
        #expect(probe.text == "mjpeg,320,240,20\n", "\(probe.standardError)")
    }
}
