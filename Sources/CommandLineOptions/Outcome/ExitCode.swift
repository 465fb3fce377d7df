/// How a program ended, for the shell that started it: the codes of `sysexits.h`.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    /// Everything went well (0).
    case success = 0
    /// The command line is wrong (`EX_USAGE`).
    case usage = 64
    /// The input was cut short or cannot be decoded (`EX_DATAERR`).
    case dataError = 65
    /// There is no such device, file or camera (`EX_NOINPUT`).
    case noInput = 66
    /// The host's name is unknown (`EX_NOHOST`).
    case noHost = 68
    /// A device, a port or a server cannot be had (`EX_UNAVAILABLE`).
    case unavailable = 69
    /// The program is at fault (`EX_SOFTWARE`).
    case software = 70
    /// The output cannot be created (`EX_CANTCREAT`).
    case cannotCreate = 73
    /// Reading or writing failed (`EX_IOERR`).
    case inputOutput = 74
    /// The peer does not speak the protocol (`EX_PROTOCOL`).
    case protocolError = 76
    /// Permission was refused (`EX_NOPERM`).
    case noPermission = 77
    /// A control's name or value is wrong (`EX_CONFIG`).
    case configuration = 78

    /// The meaning, as the help shows it.
    package var summary: String {
        switch self {
        case .success: "Success."
        case .usage: "Wrong usage."
        case .dataError: "The input was cut short or cannot be decoded."
        case .noInput: "No such device, file or camera."
        case .noHost: "Unknown host."
        case .unavailable: "Unavailable: device busy, port taken, server unreachable or full."
        case .software: "A fault of this program."
        case .cannotCreate: "The output cannot be created."
        case .inputOutput: "Reading or writing failed, for instance because the disk is full."
        case .protocolError: "The other side does not speak this protocol."
        case .noPermission: "Permission denied."
        case .configuration: "A control's name or value is wrong."
        }
    }
}
