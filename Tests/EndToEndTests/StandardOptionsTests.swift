import TestSupport
import Testing

@Suite("Help, version and tables")
struct StandardOptionsTests {
    @Test("The help describes every option and ends with the exit codes", arguments: ["camserver", "camclient"])
    func help(program: String) async throws {
        let result = try await Program.built(program).run(["--help"], environment: ["COLUMNS": "80"])
        #expect(result.status == .exited(0))
        #expect(result.standardError.isEmpty)
        #expect(result.text.hasPrefix("OVERVIEW: "))
        #expect(result.text.contains("\nUSAGE: \(program) "))
        let lines = result.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        let sections = lines.filter { !$0.hasPrefix(" ") && $0.hasSuffix(":") }
        #expect(sections.last == "EXIT CODES:")
    }

    @Test("The version is a bare number", arguments: ["camserver", "camclient"])
    func version(program: String) async throws {
        let result = try await Program.built(program).run(["--version"])
        #expect(result.status == .exited(0))
        #expect(try /\d+\.\d+\.\d+\n/.wholeMatch(in: result.text) != nil, "\(result.text)")
    }

    @Test("The presets are listed with their sizes and qualities")
    func presets() async throws {
        let result = try await Program.camserver.run(["--list-presets"])
        #expect(result.status == .exited(0))
        for text in ["photo", "high", "1920x1080", "iFrame1280x720", "inputPriority"] {
            #expect(result.text.contains(text))
        }
    }

    @Test("Listing devices works without any")
    func devices() async throws {
        let result = try await Program.camserver.run(["--list-devices"])
        #expect(result.status == .exited(0), "\(result.standardError)")
    }
}
