extension Command {
    /// The help, wrapped to `width` columns: overview, usage, arguments, groups of options, exit codes.
    package func helpText(width: Int = 80) -> String {
        var sections = [
            "OVERVIEW: \(overview)".wrapped(to: width),
            "USAGE: \(synopsis)".wrapped(to: width),
        ]
        if !arguments.isEmpty {
            sections.append(section("Arguments", arguments.map { ($0.valueName, $0.help) }, width))
        }
        var groups = groups.map { group in
            (title: group.title, rows: group.options.map { ($0.label, $0.fullHelp(defaults: defaults)) })
        }
        let standard = Self.standardOptions.map { ($0.label, $0.help) }
        if let last = groups.indices.last, groups[last].title == "Options" {
            groups[last].rows += standard
        } else {
            groups.append((title: "Options", rows: standard))
        }
        sections += groups.map { section($0.title, $0.rows, width) }
        if !exitCodes.isEmpty {
            sections.append(section("Exit codes", exitCodes.map { ("\($0.rawValue)", $0.summary) }, width))
        }
        return sections.joined(separator: "\n\n")
    }

    /// What is printed for a refused command line: the error, its option's help, the usage and where to find more.
    package func description(of error: UsageError) -> String {
        var lines = ["Error: \(error.message)"]
        if let help = error.help { lines.append("Help:  \(help)") }
        lines.append("Usage: \(synopsis)")
        lines.append("  See '\(name) --help' for more information.")
        return lines.joined(separator: "\n")
    }

    /// The program with what it takes in short; with more than twelve options they are not named.
    var synopsis: String {
        let named =
            options.count > 12
            ? ["[<options>]"]
            : options.map { option in "[\(option.shortLabel)\(option.repeatsValue ? " ..." : "")]" }
        let positional = arguments.map { $0.isRequired ? $0.valueName : "[\($0.valueName)]" }
        return ([name] + named + positional).joined(separator: " ")
    }

    private func section(_ title: String, _ rows: [(label: String, help: String)], _ width: Int) -> String {
        (["\(title.uppercased()):"] + rows.map { row($0.label, $0.help, width) }).joined(separator: "\n")
    }

    /// A label with its help from column 26 on, below the label if that reaches so far.
    private func row(_ label: String, _ help: String, _ width: Int) -> String {
        let labelWidth = 26
        let label = "  \(label)"
        guard !help.isEmpty else { return label }
        let wrapped = help.wrapped(to: max(width, labelWidth + 20), indentation: labelWidth)
        return label.count < labelWidth ? label + wrapped.dropFirst(label.count) : "\(label)\n\(wrapped)"
    }
}

extension OptionSpec {
    /// Whether the option takes a value and may be given several times.
    fileprivate var repeatsValue: Bool { isRepeatable && valueName != nil }

    /// The help with the values to choose from and the default behind it.
    fileprivate func fullHelp(defaults: Options) -> String {
        let notes = [
            allowedValues.isEmpty ? nil : "values: \(allowedValues.joined(separator: ", "))",
            defaultText(defaults).map { "default: \($0)" },
        ].compactMap { $0 }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}
