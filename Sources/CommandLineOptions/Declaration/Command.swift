/// A program's command line: what it takes, and how its help describes it.
///
/// The declaration is one table. Parsing, help and usage are all derived from it, so they cannot disagree:
///
///     let command = Command(
///         name: "serve", overview: "Serves pictures.", version: "1.0", defaults: ServeOptions(),
///         groups: [
///             OptionGroup("Network", [
///                 .option("--port", "<port>", help: "The port to listen on.", into: \.port, parse: .integer(0...65535)),
///                 .option(["-b", "--bind"], "<address>", help: "An address.", appendingTo: \.addresses, parse: .string),
///                 .flag("--loop", help: "Start again at the end.", into: \.loops),
///             ])
///         ])
///
/// `Options` is a plain value of the program; its initial state in `defaults` is what the help shows as defaults.
package struct Command<Options: Sendable>: Sendable {
    /// The name that the program is called by.
    package let name: String
    /// What the program does, in a sentence or two.
    package let overview: String
    /// The text that `--version` prints.
    package let version: String
    /// The options before any argument is read.
    package let defaults: Options
    /// What the program takes by position.
    package let arguments: [ArgumentSpec<Options>]
    /// What the program takes by name, in the order of the help.
    package let groups: [OptionGroup<Options>]
    /// The exit codes that the program uses, for the end of the help.
    package let exitCodes: [ExitCode]
    /// Checks what single values cannot show, such as options that exclude each other.
    let validate: @Sendable (Options) throws(UsageError) -> Void

    /// Creates a command.
    ///
    /// - Parameter validate: called with the parsed options before any work; it throws what the user is told.
    package init(
        name: String, overview: String, version: String, defaults: Options,
        arguments: [ArgumentSpec<Options>] = [], groups: [OptionGroup<Options>], exitCodes: [ExitCode] = [],
        validate: @escaping @Sendable (Options) throws(UsageError) -> Void = { _ in }
    ) {
        self.name = name
        self.overview = overview
        self.version = version
        self.defaults = defaults
        self.arguments = arguments
        self.groups = groups
        self.exitCodes = exitCodes
        self.validate = validate
    }
}

extension Command {
    /// The options that every program has, last in the help.
    static var standardOptions: [(label: String, help: String)] {
        [("--version", "Show the version."), ("-h, --help", "Show help information.")]
    }

    /// Every declared option, in the order of the help.
    var options: [OptionSpec<Options>] { groups.flatMap(\.options) }
}

/// Options that the help lists under one title.
package struct OptionGroup<Options: Sendable>: Sendable {
    /// The title, shown in capitals.
    package let title: String
    /// The options of the group.
    package let options: [OptionSpec<Options>]

    /// Creates a group.
    package init(_ title: String = "Options", _ options: [OptionSpec<Options>]) {
        self.title = title
        self.options = options
    }
}
