import CommandLineOptions
import Testing

@Suite("Help and messages")
struct HelpTests {
    @Test("The help is the table of the declaration")
    func help() {
        #expect(
            serve.helpText(width: 80) == """
                OVERVIEW: Serves pictures to whoever asks for them, as long as there are any.

                USAGE: serve [--port <port>] [--bind <address> ...] [--timeout <seconds>]
                [--brightness <percent>] [--speed <speed>] [--size <size>] [--output <file>]
                [--loop] [--no-reconnect] [--verbose] <folder> [<place>]

                ARGUMENTS:
                  <folder>                The folder of the pictures.
                  <place>                 Where to look first.

                NETWORK:
                  --port <port>           The port to listen on. (default: 9000)
                  -b, --bind <address>    An address to listen on. (default: all of them)
                  --timeout <seconds>     How long to wait.

                PICTURE:
                  --brightness <percent>  How much brighter or darker.
                  -s, --speed <speed>     How fast the pictures follow each other, unless the
                                          one who asks wants it otherwise. (values: slow,
                                          medium, fast; default: medium)
                  --size <size>           The size of the pictures.
                  --output <file>         Where to write to; - is standard output.

                OPTIONS:
                  -l, --loop              Start again at the end.
                  --no-reconnect          Give up at once.
                  -v, --verbose           Say more.
                  --version               Show the version.
                  -h, --help              Show help information.

                EXIT CODES:
                  0                       Success.
                  64                      Wrong usage.
                  74                      Reading or writing failed, for instance because the
                                          disk is full.
                """)
    }

    @Test("Every line fits a narrow terminal")
    func narrow() {
        let lines = serve.helpText(width: 60).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 60 })
        #expect(lines.count > serve.helpText(width: 80).split(separator: "\n").count)
    }

    @Test("With more than twelve options the usage does not name them, and a long label has its help below")
    func longTable() {
        let names = (1...13).map { "--a-rather-long-option-\($0)" }
        let command = Command(
            name: "many", overview: "Many.", version: "1", defaults: ServeOptions(),
            groups: [
                OptionGroup("Many", names.map { .flag(OptionNames(stringLiteral: $0), help: "Help.", into: \.loops) })
            ])
        let help = command.helpText(width: 80)
        #expect(help.contains("USAGE: many [<options>]\n"))
        #expect(help.contains("  --a-rather-long-option-13\n                          Help.\n"))
    }

    @Test("A refused command line is explained, with the option's help and the usage")
    func usageError() {
        let error = UsageError("Missing value for '--port <port>'", help: "--port <port>  The port to listen on.")
        let lines = serve.description(of: error).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "Error: Missing value for '--port <port>'")
        #expect(lines.dropFirst().first == "Help:  --port <port>  The port to listen on.")
        #expect(lines.dropFirst(2).first?.hasPrefix("Usage: serve [--port <port>]") == true)
        #expect(lines.last == "  See 'serve --help' for more information.")
        #expect(lines.count == 4)
    }

    @Test("A failure at run time says to what it happened, why, and what to do")
    func runtimeFailure() {
        let failure = RuntimeFailure(
            subject: "port 9000", reason: "another program listens there", remedy: "choose another with --port",
            exitCode: .unavailable)
        #expect(
            failure.description(program: "camserver")
                == "camserver: port 9000: another program listens there; choose another with --port")
        #expect(failure.exitCode.rawValue == 69)
    }
}

@Suite("Ending the process")
struct ExitTests {
    @Test("A wrong command line ends with 64")
    func usage() async {
        await #expect(processExitsWith: .exitCode(64)) { _ = serve.parseOrExit(["--nonsense"]) }
    }

    @Test("Help ends with 0, on standard output")
    func help() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            _ = serve.parseOrExit(["--help"])
        }
        #expect(result.standardOutputContent.starts(with: Array("OVERVIEW: ".utf8)))
    }

    @Test("The version is printed bare")
    func version() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            _ = serve.parseOrExit(["--version"])
        }
        #expect(result.standardOutputContent == Array("1.2.3\n".utf8))
    }
}
