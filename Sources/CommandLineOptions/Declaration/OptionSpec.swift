/// One line of a program's table of options.
///
/// Made by ``option(_:_:help:default:into:parse:)``, ``option(_:_:help:appendingTo:parse:)`` and
/// ``flag(_:help:setting:to:)``.
package struct OptionSpec<Options: Sendable>: Sendable {
    /// What an option does to the options of the program.
    enum Action: Sendable {
        /// The option stands alone.
        case flag(@Sendable (inout Options) -> Void)
        /// The option takes the next argument, or what follows `=`.
        case value(@Sendable (String, inout Options) throws(InvalidValue) -> Void)
    }

    /// The names as they are typed.
    package let names: OptionNames
    /// What stands for the value in the help, such as `<port>`; `nil` for a flag.
    package let valueName: String?
    /// The text of the help, without values and default.
    package let help: String
    /// Whether the option may be given more than once.
    package let isRepeatable: Bool
    /// The values the help lists; empty where they are no short list.
    package let allowedValues: [String]
    /// The default that the help shows, of the program's initial options.
    let defaultText: @Sendable (Options) -> String?
    let action: Action

    /// The names and the value as the help and the messages show them: `-p, --port <port>`.
    var label: String { ([names.all.joined(separator: ", ")] + (valueName.map { [$0] } ?? [])).joined(separator: " ") }

    /// The preferred name and the value, as the messages show them: `--port <port>`.
    var shortLabel: String { ([names.preferred] + (valueName.map { [$0] } ?? [])).joined(separator: " ") }
}

extension OptionSpec {
    /// An option with a value, given at most once, whose property always has one.
    ///
    /// - Parameters:
    ///   - names: as typed, with dashes.
    ///   - valueName: what stands for the value in the help, such as `<port>`.
    ///   - help: what the option does.
    ///   - defaultText: the default that the help shows; without it, the initial value as the parser describes it.
    ///   - property: where the value goes.
    ///   - parser: how text becomes a value.
    package static func option<Value>(
        _ names: OptionNames, _ valueName: String, help: String, default defaultText: String? = nil,
        into property: Property<Options, Value>, parse parser: ValueParser<Value>
    ) -> OptionSpec {
        OptionSpec(
            names: names, valueName: valueName, help: help, isRepeatable: false, allowedValues: parser.allowedValues,
            defaultText: { defaults in defaultText ?? parser.describe?(defaults[keyPath: property]) },
            action: .value { text, options throws(InvalidValue) in
                options[keyPath: property] = try parser.convert(text)
            })
    }

    /// An option with a value, given at most once, whose property is `nil` without it.
    ///
    /// - Parameters:
    ///   - names: as typed, with dashes.
    ///   - valueName: what stands for the value in the help, such as `<port>`.
    ///   - help: what the option does.
    ///   - defaultText: the default that the help shows.
    ///   - property: where the value goes.
    ///   - parser: how text becomes a value.
    package static func option<Value>(
        _ names: OptionNames, _ valueName: String, help: String, default defaultText: String? = nil,
        into property: Property<Options, Value?>, parse parser: ValueParser<Value>
    ) -> OptionSpec {
        OptionSpec(
            names: names, valueName: valueName, help: help, isRepeatable: false, allowedValues: parser.allowedValues,
            defaultText: { defaults in
                defaultText ?? defaults[keyPath: property].flatMap { value in parser.describe?(value) }
            },
            action: .value { text, options throws(InvalidValue) in
                options[keyPath: property] = try parser.convert(text)
            })
    }

    /// An option with a value that may be given any number of times.
    ///
    /// - Parameters:
    ///   - names: as typed, with dashes.
    ///   - valueName: what stands for the value in the help, such as `<address>`.
    ///   - help: what the option does.
    ///   - defaultText: the default that the help shows.
    ///   - property: the list that each value is added to.
    ///   - parser: how text becomes a value.
    package static func option<Value>(
        _ names: OptionNames, _ valueName: String, help: String, default defaultText: String? = nil,
        appendingTo property: Property<Options, [Value]>, parse parser: ValueParser<Value>
    ) -> OptionSpec {
        OptionSpec(
            names: names, valueName: valueName, help: help, isRepeatable: true, allowedValues: parser.allowedValues,
            defaultText: { _ in defaultText },
            action: .value { text, options throws(InvalidValue) in
                options[keyPath: property].append(try parser.convert(text))
            })
    }

    /// A flag that sets a property to a value; naming it twice changes nothing.
    ///
    /// - Parameters:
    ///   - names: as typed, with dashes.
    ///   - help: what the flag does.
    ///   - property: what the flag sets.
    ///   - value: what it sets it to.
    package static func flag<Value: Sendable>(
        _ names: OptionNames, help: String, setting property: Property<Options, Value>, to value: Value
    ) -> OptionSpec {
        OptionSpec(
            names: names, valueName: nil, help: help, isRepeatable: true, allowedValues: [], defaultText: { _ in nil },
            action: .flag { options in options[keyPath: property] = value })
    }

    /// A flag that sets a property to `true`.
    package static func flag(
        _ names: OptionNames, help: String, into property: Property<Options, Bool>
    ) -> OptionSpec {
        flag(names, help: help, setting: property, to: true)
    }
}
