/// The names of an option as they are typed, such as `--port` and `-p`.
///
/// Written as one literal, or as a list of them: `["-p", "--port"]`.
package struct OptionNames: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// All names with their dashes, in the order in which the help shows them.
    package let all: [String]

    /// Creates the names of an option that has one.
    package init(stringLiteral name: String) {
        all = [name]
    }

    /// Creates the names of an option that has several.
    package init(arrayLiteral names: String...) {
        all = names
    }

    /// The name used in messages: the first long one, else the first.
    var preferred: String { all.first { $0.hasPrefix("--") } ?? all.first ?? "" }

    /// The letters of the names with one dash.
    var letters: [Character] { all.compactMap { $0.hasPrefix("--") ? nil : $0.last } }
}
