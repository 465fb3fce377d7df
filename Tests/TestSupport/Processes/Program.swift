import Foundation

/// A program on this machine that tests can start.
package struct Program: Sendable {
    /// The executable's path.
    package let path: String

    /// The server that was built with the tests.
    package static var camserver: Program { get throws { try built("camserver") } }

    /// The client that was built with the tests.
    package static var camclient: Program { get throws { try built("camclient") } }

    /// A product of this package, which the build puts next to the tests' own executable.
    package static func built(_ name: String) throws -> Program {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(filePath: tests).deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
        return try executable(path, remedy: "build all of the package, tests included")
    }

    /// A program of the system, found on the `PATH`.
    package static func tool(_ name: String) throws -> Program {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? ["/usr/bin"]
        for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
            return Program(path: "\(folder)/\(name)")
        }
        throw MissingProgram(name: name, remedy: "run scripts/setup --test")
    }

    /// An executable file of the source tree.
    package static func script(_ path: String) throws -> Program {
        try executable(path, remedy: "check out the whole repository")
    }

    private static func executable(_ path: String, remedy: String) throws -> Program {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw MissingProgram(name: path, remedy: remedy)
        }
        return Program(path: path)
    }
}

/// A program that a test needs is not there.
package struct MissingProgram: Error, CustomStringConvertible {
    /// The program's name or path.
    package let name: String
    /// How to get it.
    package let remedy: String

    /// What is missing and what to do.
    package var description: String { "\(name) is not there; \(remedy)" }
}
