/// Reads the arguments of one command line, from left to right.
struct ArgumentParser<Options: Sendable> {
    private let command: Command<Options>
    private let byName: [String: OptionSpec<Options>]
    private var options: Options
    private var remaining: ArraySlice<String>
    private var positional: [String] = []
    private var given: Set<OptionNames> = []

    init(_ command: Command<Options>, _ arguments: [String]) {
        self.command = command
        options = command.defaults
        remaining = arguments[...]
        byName = Dictionary(
            command.options.flatMap { option in option.names.all.map { ($0, option) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Reads all arguments.
    consuming func parse() throws(UsageError) -> Options {
        while let argument = remaining.popFirst() {
            switch ArgumentToken(argument) {
            case .terminator:
                positional += remaining
                remaining = []
            case .long(let name, let value): try readLong(name, value: value)
            case .letters(let letters): try readLetters(letters)
            case .plain(let text): positional.append(text)
            }
        }
        try assignPositional()
        try command.validate(options)
        return options
    }

    private mutating func readLong(_ name: String, value: String?) throws(UsageError) {
        guard let option = byName[name] else {
            if ["--help", "--version"].contains(name), let value { throw Self.takesNoValue(name, value) }
            throw unknown(name)
        }
        switch option.action {
        case .flag(let apply):
            if let value { throw Self.takesNoValue(name, value) }
            apply(&options)
        case .value:
            let text = if let value { value } else { try nextValue(of: option) }
            try assign(text, to: option)
        }
    }

    private mutating func readLetters(_ letters: String) throws(UsageError) {
        var rest = letters[...]
        while let letter = rest.popFirst() {
            guard let option = byName["-\(letter)"] else { throw unknown("-\(letter)") }
            switch option.action {
            case .flag(let apply): apply(&options)
            case .value:
                if rest.first == "=" { rest.removeFirst() }
                let text = rest.isEmpty ? try nextValue(of: option) : String(rest)
                try assign(text, to: option)
                return
            }
        }
    }

    /// The argument after an option: anything that does not look like another option.
    private mutating func nextValue(of option: OptionSpec<Options>) throws(UsageError) -> String {
        guard let next = remaining.first, case .plain(let value) = ArgumentToken(next) else {
            throw UsageError("Missing value for '\(option.shortLabel)'", help: option.helpLine)
        }
        remaining.removeFirst()
        return value
    }

    private mutating func assign(_ text: String, to option: OptionSpec<Options>) throws(UsageError) {
        guard option.isRepeatable || given.insert(option.names).inserted else {
            throw UsageError("The option '\(option.shortLabel)' can be given only once", help: option.helpLine)
        }
        guard case .value(let apply) = option.action else { return }
        do {
            try apply(text, &options)
        } catch {
            throw Self.invalid(
                text, for: option.shortLabel, error, choices: option.allowedValues, help: option.helpLine)
        }
    }

    private mutating func assignPositional() throws(UsageError) {
        for (argument, text) in zip(command.arguments, positional) {
            do {
                try argument.apply(text, &options)
            } catch {
                throw Self.invalid(text, for: argument.valueName, error, choices: [], help: argument.helpLine)
            }
        }
        let excess = positional.dropFirst(command.arguments.count)
        switch excess.count {
        case 0: break
        case 1: throw UsageError("Unexpected argument '\(excess.joined())'")
        default:
            throw UsageError(
                "\(excess.count) unexpected arguments: \(excess.map { "'\($0)'" }.joined(separator: ", "))")
        }
        if let missing = command.arguments.dropFirst(positional.count).first(where: \.isRequired) {
            throw UsageError("Missing expected argument '\(missing.valueName)'", help: missing.helpLine)
        }
    }
}

extension ArgumentParser {
    private func unknown(_ name: String) -> UsageError {
        let known = (Array(byName.keys) + ["--help", "--version"]).filter { $0.hasPrefix("--") }
        let nearest =
            name.hasPrefix("--")
            ? known.map { (name: $0, distance: $0.editDistance(to: name)) }
                .filter { $0.distance < 4 }
                .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
            : nil
        let suggestion = nearest.map { ". Did you mean '\($0.name)'?" } ?? ""
        return UsageError("Unknown option '\(name)'\(suggestion)")
    }

    private static func takesNoValue(_ name: String, _ value: String) -> UsageError {
        UsageError("The option '\(name)' does not take any value, but '\(value)' was specified.")
    }

    private static func invalid(
        _ text: String, for label: String, _ error: InvalidValue, choices: [String], help: String
    ) -> UsageError {
        let message = "The value '\(text)' is invalid for '\(label)'"
        if let reason = error.reason { return UsageError("\(message): \(reason)", help: help) }
        guard let last = choices.last else { return UsageError(message, help: help) }
        let others = choices.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        let list = choices.count == 1 ? "Please provide '\(last)'." : "Please provide one of \(others) or '\(last)'."
        return UsageError("\(message). \(list)", help: help)
    }
}

extension OptionSpec {
    /// The option and its help on one line, for messages.
    fileprivate var helpLine: String { "\(shortLabel)  \(help)" }
}

extension ArgumentSpec {
    /// The argument and its help on one line, for messages.
    fileprivate var helpLine: String { "\(valueName)  \(help)" }
}
