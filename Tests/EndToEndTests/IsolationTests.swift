import CameraProtocol
import Foundation
import TestSupport
import Testing

@Suite("What a client costs the others, and itself")
struct IsolationTests {
    /// More than a server's memory varies by, less than the frames take that a stopped client misses.
    private static let memoryLimit = 20_000_000

    @Test("A client that is stopped costs another nothing, and goes on with new frames", arguments: [nil, 0.1])
    func stoppedClient(maximumAge: Double?) async throws {
        let server = try await Server.start(["--source", "test:640x480@10"])
        let limit = maximumAge.map { ["--max-age", "\($0)"] } ?? []
        let stopped = try server.start(["--codec", "raw", "--json"] + limit)
        let other = try server.start(["--size", "160x120", "--codec", "jpeg", "--json", "--delivery", "ordered"])
        _ = try await stopped.standardOutput.lines(5, containing: "sequence")
        _ = try await other.standardOutput.line(containing: "sequence")
        let memory = try server.process.residentByteCount

        let stop = Date.now
        stopped.send(SIGSTOP)
        try await other.standardOutput.moreFrames(50)
        let growth = try server.process.residentByteCount - memory
        #expect(growth < Self.memoryLimit)
        let resumption = Date.now
        stopped.send(SIGCONT)
        try await stopped.standardOutput.moreFrames(10)

        #expect(try await stopped.stop() == .exited(0))
        let frames = try FrameReport.all(in: stopped.standardOutput.text)
        #expect(frames.unexplainedGaps == [])
        if let maximumAge {
            #expect(try frames.captured(after: stop, before: resumption - maximumAge).isEmpty)
        } else {
            // Two under way, one in the mailbox: from the fourth on, all are new.
            #expect(try frames.captured(after: stop, before: resumption).count <= 3)
        }
        #expect(try await other.stop() == .exited(0))
        let others = try FrameReport.all(in: other.standardOutput.text)
        #expect(others.allSatisfy { $0.dropped.isEmpty })
        #expect(others.unexplainedGaps == [])
    }

    @Test("A client that floods credit and never reads costs the others nothing, and the server no memory")
    func flood() async throws {
        let server = try await Server.start(["--source", "test:640x480@20"])
        let other = try server.start(["--size", "160x120", "--codec", "jpeg", "--json"])
        _ = try await other.standardOutput.line(containing: "sequence")

        let hostile = try DeafConnection(port: server.port)
        let hello = Hello(name: "hostile", maximumFrameByteCount: UInt32(Limits.frameByteCount), codecs: [.raw])
        let request = StreamRequest(codecs: .inOrder([.raw]))
        let streams = StreamID(1)...16
        hostile.send(
            Preamble.current.bytes + Message.hello(hello).encoded()
                + streams.flatMap { stream in
                    Message.subscribe(Subscribe(camera: "", request: request, credit: Limits.credit))
                        .encoded(stream: stream)
                })
        let credit = streams.flatMap { Message.credit(.max).encoded(stream: $0) }
        func floodUntilNextFrames(_ count: Int) async throws {
            for _ in 1...count {
                for _ in 1...10 { hostile.send(credit) }
                try await other.standardOutput.moreFrames(1)
            }
        }
        // The frames that it was given credit for at first are under way after these.
        try await floodUntilNextFrames(20)
        let memory = try server.process.residentByteCount
        try await floodUntilNextFrames(60)
        let growth = try server.process.residentByteCount - memory
        #expect(growth < Self.memoryLimit)
        #expect(hostile.unreadByteCount > Limits.controlByteCount, "It was given pictures.")
        #expect(try await other.stop() == .exited(0))
        #expect(try FrameReport.all(in: other.standardOutput.text).unexplainedGaps == [])
        #expect(try await server.process.stop() == .exited(0))
    }

    @Test("A file with a client that wants the newest plays in real time; one that wants all loses its oldest")
    func bothModes() async throws {
        let folder = try TemporaryDirectory()
        let clip = Clip(width: 64, height: 48, frameCount: 150)
        try Data(clip.file).write(to: folder.url.appending(path: "clip.y4m"))
        let server = try await Server.start(["--preset", "inputPriority", "--source", folder.path(of: "clip.y4m")])
        let newest = try server.start(["--json", "--codec", "raw"])
        _ = try await newest.standardOutput.line(containing: "sequence")
        let all = try server.start(["--json", "--codec", "raw", "--delivery", "ordered:2"])
        _ = try await all.standardOutput.line(containing: "sequence")
        all.send(SIGSTOP)
        // The file goes on without it.
        #expect(try await newest.exitStatus() == .exited(0))
        all.send(SIGCONT)
        #expect(try await all.exitStatus() == .exited(0))

        let shown = try FrameReport.all(in: newest.standardOutput.text)
        let kept = try FrameReport.all(in: all.standardOutput.text)
        #expect(Set((shown + kept).map(\.epoch)).count == 1)
        #expect(shown.unexplainedGaps == [])
        #expect(kept.unexplainedGaps == [])
        #expect(kept.last?.sequence == 149)
        #expect(kept.contains { $0.dropped["noCredit", default: 0] > 0 })
    }

    @Test("A camera that nobody watches costs less than a hundredth of a processor")
    func idle() async throws {
        let server = try await Server.start(["--source", "test:640x480@30", "--log-level", "info"])
        let client = try await server.run(["--count", "10", "--json"])
        #expect(client.status == .exited(0))
        _ = try await server.process.standardError.line(containing: "disconnected")
        let before = try server.process.processorTime
        // The time is what is measured here, not waited for.
        try await Task.sleep(for: .seconds(3))
        #expect(try server.process.processorTime - before < .milliseconds(30))
    }
}

extension ProcessOutput {
    /// Waits for so many frames after those that are there now.
    fileprivate func moreFrames(_ count: Int) async throws {
        let present = bytes.count { $0 == UInt8(ascii: "\n") }
        _ = try await lines(present + count, containing: "sequence")
    }
}
