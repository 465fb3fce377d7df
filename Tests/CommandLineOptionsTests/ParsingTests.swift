import CommandLineOptions
import Testing

@Suite("Reading a command line")
struct ParsingTests {
    @Test("Nothing but what is required leaves the defaults")
    func defaults() throws {
        #expect(try options("pictures") == expected { $0.folder = "pictures" })
    }

    @Test(
        "A value follows its option, an equals sign or a letter",
        arguments: [
            ["--port", "80", "f"], ["--port=80", "f"], ["f", "--port", "80"], ["--port", "80", "--", "f"],
        ])
    func longValues(arguments: [String]) throws {
        #expect(try serve.parse(arguments) == .run(expected { ($0.port, $0.folder) = (80, "f") }))
    }

    @Test("A letter's value", arguments: [["-s", "fast"], ["-sfast"], ["-s=fast"], ["-vsfast"], ["-vs", "fast"]])
    func letterValues(arguments: [String]) throws {
        let options = try options(arguments + ["f"])
        #expect(options.speed == .fast)
        #expect(options.verbose == arguments[0].contains("v"))
    }

    @Test("Flags can be bundled and repeated")
    func flags() throws {
        let options = try options("-lv", "-v", "--no-reconnect", "f")
        #expect(options == expected { ($0.loops, $0.verbose, $0.reconnects, $0.folder) = (true, true, false, "f") })
    }

    @Test("A repeatable option collects its values in order")
    func repeated() throws {
        #expect(
            try options("--bind", "::1", "-b", "127.0.0.1", "--bind=::", "f").addresses == ["::1", "127.0.0.1", "::"])
    }

    @Test("A lone dash and a negative number are values")
    func dashes() throws {
        let options = try options("--output", "-", "--brightness", "-5", "-")
        #expect(options == expected { ($0.output, $0.brightness, $0.folder) = ("-", -5, "-") })
    }

    @Test("After -- everything is taken by position")
    func terminator() throws {
        #expect(try options("--", "--port", "--help") == expected { ($0.folder, $0.place) = ("--port", "--help") })
    }

    @Test("An equals sign within a value belongs to the value")
    func equalsSigns() throws {
        #expect(try options("--output=a=b", "f").output == "a=b")
    }

    @Test("Seconds may have a fraction")
    func seconds() throws {
        #expect(try options("--timeout", "0.25", "f").timeout == .milliseconds(250))
    }

    @Test("Help and version win over mistakes", arguments: [["--nonsense"], [], ["--port"]])
    func helpAndVersion(before: [String]) throws {
        #expect(try serve.parse(before + ["--help"]) == .help)
        #expect(try serve.parse(before + ["-h"]) == .help)
        #expect(try serve.parse(before + ["--version"]) == .version)
    }

    @Test(
        "A wrong command line is refused with what is wrong",
        arguments: [
            (["--prot", "1", "f"], "Unknown option '--prot'. Did you mean '--port'?"),
            (["--hlep"], "Unknown option '--hlep'. Did you mean '--help'?"),
            (["--something-else", "f"], "Unknown option '--something-else'"),
            (["-x", "f"], "Unknown option '-x'"),
            (["-lx", "f"], "Unknown option '-x'"),
            (["f", "--port"], "Missing value for '--port <port>'"),
            (["--port", "--loop", "f"], "Missing value for '--port <port>'"),
            (["--port", "--", "f"], "Missing value for '--port <port>'"),
            (["f", "-s"], "Missing value for '--speed <speed>'"),
            (
                ["--port", "65536", "f"],
                "The value '65536' is invalid for '--port <port>': it must be a whole number from 0 to 65535"
            ),
            (
                ["--port=", "f"],
                "The value '' is invalid for '--port <port>': it must be a whole number from 0 to 65535"
            ),
            (
                ["--size", "big", "f"],
                "The value 'big' is invalid for '--size <size>': it must be a size such as 640x480"
            ),
            (
                ["--timeout", "nan", "f"],
                "The value 'nan' is invalid for '--timeout <seconds>': it must be a number of seconds from 0 to 3600"
            ),
            (
                ["--speed", "fsat", "f"],
                "The value 'fsat' is invalid for '--speed <speed>'. Please provide one of 'slow', 'medium' or 'fast'."
            ),
            (["--output", "", "f"], "The value '' is invalid for '--output <file>': it must not be empty"),
            (["--loop=yes", "f"], "The option '--loop' does not take any value, but 'yes' was specified."),
            (["--help=all"], "The option '--help' does not take any value, but 'all' was specified."),
            (["--port", "1", "--port", "2", "f"], "The option '--port <port>' can be given only once"),
            ([], "Missing expected argument '<folder>'"),
            (["a", "b", "c"], "Unexpected argument 'c'"),
            (["a", "b", "c", "d"], "2 unexpected arguments: 'c', 'd'"),
            (["--loop", "--output", "-", "f"], "'--loop' cannot be used with '--output -'"),
        ] as [([String], String)])
    func refusals(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try serve.parse(arguments) }
        #expect(error?.message == message)
    }

    private func options(_ arguments: String...) throws -> ServeOptions { try options(arguments) }

    private func options(_ arguments: [String]) throws -> ServeOptions {
        guard case .run(let options) = try serve.parse(arguments) else { throw UsageError("not to be run") }
        return options
    }

    private func expected(_ change: (inout ServeOptions) -> Void) -> ServeOptions {
        var options = ServeOptions()
        change(&options)
        return options
    }
}
