import CameraClient
import CommandLineOptions

extension RuntimeFailure {
    /// What the user is told about an error, and the exit code it ends with.
    init(_ error: any Error, options: ClientOptions) {
        switch error {
        case let failure as RuntimeFailure: self = failure
        case let error as RemoteCameraError: self.init(error, options: options)
        case let error as FrameSavingError: self.init(error)
        case let error as SocketError:
            self.init(
                subject: error.subject, reason: error.reason, remedy: "raise the limit of open files (ulimit -n)",
                exitCode: .unavailable)
        default:
            self.init(
                subject: "internal error", reason: "\(error)", remedy: "please report this", exitCode: .software)
        }
    }

    private init(_ error: FrameSavingError) {
        let (remedy, code): (String, ExitCode) =
            switch error.kind {
            case .cannotCreate: ("choose another folder with --directory", .cannotCreate)
            case .cannotWrite: ("free some space, or keep fewer files with --keep", .inputOutput)
            case .undecodable, .cannotConvert: ("choose another --format", .dataError)
            }
        self.init(
            subject: error.path.isEmpty ? "frame" : error.path, reason: error.reason, remedy: remedy, exitCode: code)
    }

    private init(_ error: RemoteCameraError, options: ClientOptions) {
        let (remedy, code) = Self.advice(error, options: options)
        self.init(subject: error.subject, reason: error.reason, remedy: remedy, exitCode: code)
    }

    private static func advice(_ error: RemoteCameraError, options: ClientOptions) -> (String, ExitCode) {
        switch error.code {
        case .unknownHost: ("check the host's name", .noHost)
        case .unknownCamera: ("see 'camclient \(options.server.map { "\($0)" } ?? "") --list'", .noInput)
        case .unreachable: ("check that camserver runs there and that the port is right", .unavailable)
        case .disconnected: ("without --no-reconnect camclient waits until it is back", .unavailable)
        case .serverFull: ("end another client, or raise camserver's --max-clients", .unavailable)
        case .timedOut: ("check the server, or allow more time with --timeout", .unavailable)
        case .refused: ("change --codec, --size, --crop or --delivery", .unavailable)
        case .notPermitted: ("ask whoever runs the server", .noPermission)
        case .protocolViolation: ("check that camserver of the same version listens at that address", .protocolError)
        case .ended where error.endReason == .corrupt: ("all whole frames were received; check the source", .dataError)
        case .ended: ("check the source on the server", .unavailable)
        default: ("please report this", .software)
        }
    }
}
