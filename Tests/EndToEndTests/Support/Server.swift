import TestSupport

/// A camserver that listens on a port of the loopback network.
struct Server {
    let process: RunningProgram
    let port: UInt16

    /// What a client takes to reach it.
    var address: String { "127.0.0.1:\(port)" }

    /// Starts camserver and waits until it listens.
    static func start(_ arguments: [String], port: UInt16 = 0, input: RunningProgram.Input = .none) async throws
        -> Server
    {
        let process = try Program.camserver.start(
            ["--port", "\(port)", "--bind", "127.0.0.1"] + arguments, input: input)
        return Server(process: process, port: try await process.listeningPort())
    }

    /// Runs camclient against it, to the client's end.
    func run(_ arguments: [String]) async throws -> FinishedProgram {
        try await Program.camclient.run([address] + arguments)
    }

    /// Starts camclient against it.
    func start(_ arguments: [String]) throws -> RunningProgram {
        try Program.camclient.start([address] + arguments)
    }
}
