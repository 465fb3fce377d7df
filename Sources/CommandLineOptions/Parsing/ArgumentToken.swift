/// What an argument looks like before it is known what the program takes.
enum ArgumentToken: Hashable {
    /// `--`: everything after it is taken by position.
    case terminator
    /// `--name` or `--name=value`.
    case long(name: String, value: String?)
    /// `-abc`: flags together, or a letter and its value.
    case letters(String)
    /// Anything else, a lone `-` and a negative number included.
    case plain(String)

    init(_ argument: String) {
        if argument == "--" {
            self = .terminator
        } else if argument.hasPrefix("--") {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            self = .long(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil)
        } else if argument.hasPrefix("-"), argument != "-", Double(argument) == nil {
            self = .letters(String(argument.dropFirst()))
        } else {
            self = .plain(argument)
        }
    }
}
