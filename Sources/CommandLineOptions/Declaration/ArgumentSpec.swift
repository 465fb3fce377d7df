/// What a program takes by position.
package struct ArgumentSpec<Options: Sendable>: Sendable {
    /// What stands for the argument in the help, such as `<server>`.
    package let valueName: String
    /// What the argument is.
    package let help: String
    /// Whether the program refuses to run without it.
    package let isRequired: Bool
    let apply: @Sendable (String, inout Options) throws(InvalidValue) -> Void

    /// An argument that must be given.
    package static func required<Value>(
        _ valueName: String, help: String, into property: Property<Options, Value>,
        parse parser: ValueParser<Value>
    ) -> ArgumentSpec {
        ArgumentSpec(
            valueName: valueName, help: help, isRequired: true,
            apply: { text, options throws(InvalidValue) in options[keyPath: property] = try parser.convert(text) })
    }

    /// An argument that must be given, whose property has no initial value.
    package static func required<Value>(
        _ valueName: String, help: String, into property: Property<Options, Value?>,
        parse parser: ValueParser<Value>
    ) -> ArgumentSpec {
        ArgumentSpec(
            valueName: valueName, help: help, isRequired: true,
            apply: { text, options throws(InvalidValue) in options[keyPath: property] = try parser.convert(text) })
    }

    /// An argument that may be left out.
    package static func optional<Value>(
        _ valueName: String, help: String, into property: Property<Options, Value?>,
        parse parser: ValueParser<Value>
    ) -> ArgumentSpec {
        ArgumentSpec(
            valueName: valueName, help: help, isRequired: false,
            apply: { text, options throws(InvalidValue) in options[keyPath: property] = try parser.convert(text) })
    }
}
