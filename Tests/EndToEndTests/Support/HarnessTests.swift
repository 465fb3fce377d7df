import Foundation
import TestSupport
import Testing

@Suite("Starting programs")
struct HarnessTests {
    @Test("A line is seen while the process goes on, and a signal ends it")
    func lineAndSignal() async throws {
        let process = try Program.tool("sh").start(["-c", "echo first; echo the second >&2; exec sleep 1000"])
        #expect(try await process.standardError.line(containing: "sec") == "the second")
        #expect(try await process.standardOutput.line(containing: "fir") == "first")
        #expect(try await process.stop() == .signalled(SIGTERM))
    }

    @Test("Waiting for a line ends with the output")
    func missingLine() async throws {
        let process = try Program.tool("sh").start(["-c", "echo something else"])
        let error = await #expect(throws: OutputNotSeen.self) {
            try await process.standardOutput.line(containing: "listening on")
        }
        #expect(error?.why == .ended)
        #expect(error?.bytes == Array("something else\n".utf8))
    }

    @Test("Waiting for a line or an end has a limit")
    func limits() async throws {
        let process = try Program.tool("sleep").start(["1000"])
        let error = await #expect(throws: OutputNotSeen.self) {
            try await process.standardOutput.line(containing: "x", within: .milliseconds(1))
        }
        #expect(error?.why == .timeLimit)
        await #expect(throws: ProcessStillRuns.self) { try await process.exitStatus(within: .milliseconds(1)) }
    }

    @Test("A program gets its arguments, input, folder and environment, and its output and code come back")
    func everything() async throws {
        let folder = try TemporaryDirectory()
        try Data("from a file".utf8).write(to: folder.url.appending(path: "input"))
        let result = try await Program.tool("sh").run(
            ["-c", #"cat; printf ' %s %s %s' "$0" "$FLAVOUR" "$PWD"; exit 7"#, "a b"],
            input: .file(folder.path(of: "input")), directory: folder.path, environment: ["FLAVOUR": "sweet"])
        #expect(result.status == .exited(7))
        #expect(result.text == "from a file a b sweet \(folder.url.path(percentEncoded: false).trimmingSuffix("/"))")
    }

    @Test("What is written to a process arrives whole")
    func pipe() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let process = try Program.tool("cat").start(input: .pipe)
        #expect(process.write(bytes))
        process.endInput()
        #expect(try await process.standardOutput.allBytes() == bytes)
        #expect(try await process.exitStatus() == .exited(0))
        #expect(!process.write([1]))
    }

    @Test("A program that is not there is named")
    func missingProgram() {
        #expect(throws: MissingProgram.self) { try Program.tool("no-such-program-anywhere") }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
