import Foundation
import TestSupport
import Testing

@Suite("Faults under way")
struct RecoveryTests {
    @Test("A server that is killed and started again is found by a saving client, in a new epoch, all files whole")
    func restartedServer() async throws {
        let folder = try TemporaryDirectory()
        let first = try await Server.start(["--source", "test:160x120@30"])
        let client = try first.start(["--save", "--directory", folder.path, "--json"])
        _ = try await client.standardOutput.lines(5, containing: "sequence")
        first.process.send(SIGKILL)
        #expect(try await first.process.exitStatus() == .signalled(SIGKILL))
        let atKill = client.standardOutput.text.split(separator: "\n").count
        let second = try await Server.start(["--source", "test:160x120@30"], port: first.port)
        _ = try await client.standardOutput.lines(atKill + 6, containing: "sequence")
        #expect(try await client.stop() == .exited(0))

        let frames = try FrameReport.all(in: client.standardOutput.text)
        #expect(Set(frames.map(\.epoch)).count == 2)
        #expect(frames.unexplainedGaps == [])
        let names = try folder.fileNames
        #expect(names.count == frames.count)
        for name in names {
            #expect(try await SavedPicture(opening: folder.path(of: name)).width == 160)
        }
        #expect(try await second.process.stop() == .exited(0))
    }

    @Test("A client waits for a server that is not there yet")
    func lateServer() async throws {
        let placeholder = try await Server.start(["--source", "test:160x120"])
        try await placeholder.process.stop()
        let client = try Program.camclient.start([placeholder.address, "--json", "--count", "3"])
        _ = try await client.standardError.line(containing: placeholder.address)
        let server = try await Server.start(["--source", "test:160x120"], port: placeholder.port)
        #expect(try await client.exitStatus() == .exited(0))
        #expect(try FrameReport.all(in: client.standardOutput.text).count == 3)
        #expect(try await server.process.stop() == .exited(0))
    }

    @Test("Without reconnection a server's end ends the client with 69")
    func noReconnect() async throws {
        let server = try await Server.start(["--source", "test:160x120"])
        let client = try server.start(["--json", "--no-reconnect"])
        _ = try await client.standardOutput.line(containing: "sequence")
        server.process.send(SIGKILL)
        #expect(try await client.exitStatus() == .exited(69))
    }
}
