/// Why a text is no value of an option.
package struct InvalidValue: Error, Sendable, Hashable {
    /// The reason, a clause without a full stop: `it must be a whole number from 0 to 65535`.
    package let reason: String?

    /// Creates a reason.
    package init(_ reason: String?) {
        self.reason = reason
    }
}

/// How a text becomes a value, and a value a text.
package struct ValueParser<Value: Sendable>: Sendable {
    /// The values to choose from, for help and messages; empty where they are no short list.
    package let allowedValues: [String]
    let convert: @Sendable (String) throws(InvalidValue) -> Value
    let describe: (@Sendable (Value) -> String)?

    /// Creates a parser from a closure that throws a reason.
    ///
    /// - Parameters:
    ///   - allowedValues: the values to choose from, if they are few.
    ///   - describe: the text of a value, by which the help shows a default.
    ///   - convert: gives the value, or throws why the text is none.
    package init(
        allowedValues: [String] = [], describe: (@Sendable (Value) -> String)? = nil,
        convert: @escaping @Sendable (String) throws(InvalidValue) -> Value
    ) {
        self.allowedValues = allowedValues
        self.convert = convert
        self.describe = describe
    }

    /// Creates a parser from a closure that gives `nil` for what is no value.
    ///
    /// - Parameters:
    ///   - expectation: what the text must be, such as `a size such as 640x480`.
    ///   - describe: the text of a value, by which the help shows a default.
    ///   - convert: gives the value, or `nil`.
    package init(
        expecting expectation: String, describe: (@Sendable (Value) -> String)? = nil,
        convert: @escaping @Sendable (String) -> Value?
    ) {
        self.init(describe: describe) { text throws(InvalidValue) in
            guard let value = convert(text) else { throw InvalidValue("it must be \(expectation)") }
            return value
        }
    }
}

extension ValueParser where Value: CustomStringConvertible {
    /// Creates a parser from a closure that gives `nil` for what is no value; the help shows defaults by `description`.
    package init(expecting expectation: String, convert: @escaping @Sendable (String) -> Value?) {
        self.init(expecting: expectation, describe: { $0.description }, convert: convert)
    }
}

extension ValueParser<String> {
    /// Any text that is not empty.
    package static var string: ValueParser {
        ValueParser(describe: { $0 }) { text throws(InvalidValue) in
            guard !text.isEmpty else { throw InvalidValue("it must not be empty") }
            return text
        }
    }
}

extension ValueParser where Value: FixedWidthInteger {
    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Value>) -> ValueParser {
        integer(range, described: "from \(range.lowerBound) to \(range.upperBound)")
    }

    /// A whole number from a bound on.
    package static func integer(_ range: PartialRangeFrom<Value>) -> ValueParser {
        integer(range.lowerBound...Value.max, described: "of \(range.lowerBound) or more")
    }

    private static func integer(_ range: ClosedRange<Value>, described bounds: String) -> ValueParser {
        ValueParser(expecting: "a whole number \(bounds)") { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueParser<Double> {
    /// A decimal number in a range.
    package static func decimal(_ range: ClosedRange<Double>) -> ValueParser {
        ValueParser(
            expecting: "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))", describe: plain
        ) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueParser<Duration> {
    /// A number of seconds, fractions allowed, in a range.
    package static func seconds(_ range: ClosedRange<Double>) -> ValueParser {
        ValueParser(
            expecting: "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
            describe: { duration in
                let (seconds, attoseconds) = duration.components
                return plain(Double(seconds) + Double(attoseconds) / 1e18)
            }
        ) { text in
            Double(text).flatMap { range.contains($0) ? .seconds($0) : nil }
        }
    }
}

extension ValueParser where Value: CaseIterable {
    /// One of the cases of a type, by name.
    package static func choice(_ name: any KeyPath<Value, String> & Sendable) -> ValueParser {
        choice(Array(Value.allCases), name: name)
    }
}

extension ValueParser {
    /// One of some values, by name.
    package static func choice(_ values: [Value], name: any KeyPath<Value, String> & Sendable) -> ValueParser {
        ValueParser(
            allowedValues: values.map { $0[keyPath: name] }, describe: { $0[keyPath: name] }
        ) { text throws(InvalidValue) in
            guard let value = values.first(where: { $0[keyPath: name] == text }) else { throw InvalidValue(nil) }
            return value
        }
    }
}

/// A number without a needless fraction: `5`, `0.1`.
@Sendable private func plain(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
}
