import CameraClient
import CommandLineOptions

/// The program, from the parsed options to the exit code.
struct ClientProgram: Sendable {
    static let name = "camclient"

    let options: ClientOptions

    /// Runs until the work is done, fails, or a signal stops it.
    func run() async -> ExitCode {
        let work = Task { try await perform() }
        let signals = TerminationSignals { work.cancel() }
        defer { withExtendedLifetime(signals) {} }
        do {
            try await work.value
            return .success
        } catch is CancellationError {
            return .success
        } catch {
            let failure = RuntimeFailure(error, options: options)
            failure.report(program: Self.name)
            return failure.exitCode
        }
    }

    private func perform() async throws {
        guard let server = options.server else { return }
        if options.lists {
            try await CameraListing(server: server, options: options).print()
        } else {
            try await FrameRun(server: server, options: options).run()
        }
    }
}
