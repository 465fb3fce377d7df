/// What a command line asks for.
package enum Request<Options: Sendable>: Sendable {
    /// To run with these options.
    case run(Options)
    /// To show the help.
    case help
    /// To show the version.
    case version
}

extension Request: Equatable where Options: Equatable {}

extension Command {
    /// Reads a command line without the program's own name; does nothing else.
    ///
    /// `--help` and `--version` win over everything, mistakes included.
    /// - Throws: what the user is told, and about which option.
    package func parse(_ arguments: [String]) throws(UsageError) -> Request<Options> {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            switch argument {
            case "-h", "--help": return .help
            case "--version": return .version
            default: break
            }
        }
        return .run(try ArgumentParser(self, arguments).parse())
    }
}
