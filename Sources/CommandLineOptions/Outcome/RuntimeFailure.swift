/// Why a program that was called correctly could not do, or go on with, its work.
package struct RuntimeFailure: Error, Sendable, Hashable {
    /// What it happened to: a device, a file, an address.
    package let subject: String
    /// What happened.
    package let reason: String
    /// What the user can do about it.
    package let remedy: String
    /// How the program ends.
    package let exitCode: ExitCode

    /// Creates a failure; the texts are clauses without a full stop.
    package init(subject: String, reason: String, remedy: String, exitCode: ExitCode) {
        self.subject = subject
        self.reason = reason
        self.remedy = remedy
        self.exitCode = exitCode
    }

    /// The line for the user: `camserver: SUBJECT: REASON; REMEDY`.
    package func description(program: String) -> String {
        "\(program): \(subject): \(reason); \(remedy)"
    }

    /// Prints the line to standard error.
    package func report(program: String) {
        StandardStream.error.writeLine(description(program: program))
    }
}

extension RuntimeFailure: CustomStringConvertible {
    /// Subject, reason and remedy without the program's name.
    package var description: String { "\(subject): \(reason); \(remedy)" }
}
