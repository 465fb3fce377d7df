package import Foundation
import Synchronization

/// A process that a test has started; it is killed when the last reference goes.
///
/// Safe to use from several threads.
package final class RunningProgram: Sendable {
    /// What the process gets on standard input.
    package enum Input: Sendable {
        /// Nothing.
        case none
        /// The content of a file.
        case file(String)
        /// What ``write(_:)`` sends, until ``endInput()``.
        case pipe
    }

    /// The process' number.
    package let identifier: pid_t
    /// What it writes to standard output.
    package let standardOutput: ProcessOutput
    /// What it writes to standard error.
    package let standardError: ProcessOutput
    private let life: ProcessLife
    private let input: Mutex<Int32?>

    init(
        _ program: Program, _ arguments: [String], input: Input, directory: String?, environment: [String: String]
    ) throws {
        let command =
            directory.map { directory in ["/usr/bin/env", "-C", directory, program.path] } ?? [program.path]
        let child = try spawning.withLock { _ in
            let (source, output, error) = (try InputSource(input), try Pipe(), try Pipe())
            let identifier = try spawn(
                command[0], command.dropFirst() + arguments, environment: environment,
                descriptors: [source.readEnd, output.writeEnd, error.writeEnd])
            for descriptor in [source.readEnd, output.writeEnd, error.writeEnd] { close(descriptor) }
            return (identifier: identifier, input: source.writeEnd, output: output.readEnd, error: error.readEnd)
        }
        identifier = child.identifier
        standardOutput = ProcessOutput(reading: child.output)
        standardError = ProcessOutput(reading: child.error)
        self.input = Mutex(child.input)
        life = ProcessLife(of: identifier)
    }

    deinit {
        endInput()
        life.send(SIGKILL)
    }

    /// Sends a signal, unless the process has ended.
    package func send(_ signal: Int32) { life.send(signal) }

    /// Waits until the process has ended.
    ///
    /// - Throws: ``ProcessStillRuns`` if it has not within `limit`.
    package func exitStatus(within limit: Duration = .seconds(120)) async throws -> ExitStatus {
        guard let status = await life.exitStatus(within: limit) else {
            throw ProcessStillRuns(output: standardOutput.text, error: standardError.text)
        }
        return status
    }

    /// Asks the process to end by SIGTERM and waits until it has.
    @discardableResult
    package func stop(within limit: Duration = .seconds(120)) async throws -> ExitStatus {
        send(SIGTERM)
        return try await exitStatus(within: limit)
    }

    /// Writes to standard input; blocks while the pipe is full.
    ///
    /// - Returns: whether everything was written; `false` once the process reads no more.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        input.withLock { descriptor in
            guard let descriptor else { return false }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
            }
            return true
        }
    }

    /// Ends standard input.
    package func endInput() {
        input.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }
}

extension RunningProgram {
    /// Waits for camserver's line `listening on ADDRESS:PORT` and returns the port.
    package func listeningPort(within limit: Duration = .seconds(120)) async throws -> UInt16 {
        let line = try await standardError.line(containing: "listening on ", within: limit)
        // The line may be text or part of a JSON object.
        guard let match = line.firstMatch(of: /listening on [^ "]*:(\d+)/), let port = UInt16(match.output.1) else {
            throw OutputNotSeen(expectation: "a port", bytes: Array(line.utf8), why: .ended)
        }
        return port
    }
}

extension Program {
    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: the arguments, without the program's name.
    ///   - input: what it reads from standard input.
    ///   - directory: the folder to run it in; the tests' own by default.
    ///   - environment: variables added to the tests' own.
    /// - Throws: `POSIXError` if it cannot be started.
    package func start(
        _ arguments: [String] = [], input: RunningProgram.Input = .none, directory: String? = nil,
        environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(self, arguments, input: input, directory: directory, environment: environment)
    }

    /// Runs the program to its end.
    package func run(
        _ arguments: [String] = [], input: RunningProgram.Input = .none, directory: String? = nil,
        environment: [String: String] = [:], within limit: Duration = .seconds(120)
    ) async throws -> FinishedProgram {
        let process = try start(arguments, input: input, directory: directory, environment: environment)
        let status = try await process.exitStatus(within: limit)
        return FinishedProgram(
            status: status, standardOutput: try await process.standardOutput.allBytes(within: limit),
            standardError: String(decoding: try await process.standardError.allBytes(within: limit), as: UTF8.self))
    }
}

/// What a program that has ended left behind.
package struct FinishedProgram: Sendable {
    /// How it ended.
    package let status: ExitStatus
    /// What it wrote to standard output.
    package let standardOutput: [UInt8]
    /// What it wrote to standard error.
    package let standardError: String

    /// Standard output as text.
    package var text: String { String(decoding: standardOutput, as: UTF8.self) }
}

/// A process did not end in time.
package struct ProcessStillRuns: Error, CustomStringConvertible {
    /// What it has written to standard output.
    package let output: String
    /// What it has written to standard error.
    package let error: String

    /// What it has written.
    package var description: String { "the process still runs after:\n\(output)\n\(error)" }
}
