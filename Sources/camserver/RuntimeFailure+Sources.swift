import CameraCapture
import CameraServer
import CommandLineOptions
import Foundation

extension RuntimeFailure {
    /// What went wrong with a source or a camera.
    init(_ error: any Error, subject: String) {
        guard let error = error as? CaptureInputError else {
            self.init(
                subject: subject, reason: "\(error)", remedy: "see 'camserver --help'", exitCode: .software)
            return
        }
        let exitCode: ExitCode =
            switch error.code {
            case .notFound, .notACaptureDevice: .noInput
            case .permissionDenied: .noPermission
            case .busy, .outOfResources: .unavailable
            case .unsupportedFormat, .invalidData: .dataError
            default: .inputOutput
            }
        self.init(
            subject: error.subject, reason: error.reason, remedy: error.remedy ?? "choose another source",
            exitCode: exitCode)
    }

    /// Why the server cannot listen.
    init(listening error: SocketError) {
        let (remedy, exitCode): (String, ExitCode) =
            switch error.code {
            case EADDRINUSE: ("stop the other program, or choose another with --port or --unix", .unavailable)
            case EADDRNOTAVAIL: ("choose an address of this machine with --bind", .unavailable)
            case EACCES, EPERM: ("ports below 1024 and other users' folders need privileges", .noPermission)
            case EEXIST: ("it is no socket; choose another path with --unix", .cannotCreate)
            case ENOENT, ENOTDIR, ENAMETOOLONG, EROFS: ("choose another path with --unix", .cannotCreate)
            case 0: ("choose an address of this machine with --bind", error.isUnknownHost ? .noHost : .unavailable)
            default: ("check --bind, --port and --unix", .unavailable)
            }
        self.init(subject: error.subject, reason: error.reason, remedy: remedy, exitCode: exitCode)
    }
}
