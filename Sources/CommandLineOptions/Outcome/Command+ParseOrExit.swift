import Glibc

extension Command {
    /// Reads the arguments of this process, or ends it.
    ///
    /// Help and version go to standard output and end the process with 0; a wrong command line is explained on
    /// standard error and ends it with 64.
    package func parseOrExit(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Options {
        do {
            switch try parse(arguments) {
            case .run(let options): return options
            case .help: StandardStream.output.writeLine(helpText(width: StandardStream.output.columns))
            case .version: StandardStream.output.writeLine(version)
            }
            exit(ExitCode.success.rawValue)
        } catch {
            StandardStream.error.writeLine(description(of: error))
            exit(ExitCode.usage.rawValue)
        }
    }
}
