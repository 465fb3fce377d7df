import Foundation
import Synchronization

/// Held while descriptors are made that no child but one may inherit, and while a child is started.
let spawning = Mutex(())

/// The two ends of a pipe; made while ``spawning`` is held, so that no other child inherits them.
struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw posixError(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}

/// Where a process reads its standard input from.
struct InputSource {
    let readEnd: Int32
    let writeEnd: Int32?

    init(_ input: RunningProgram.Input) throws {
        switch input {
        case .none: (readEnd, writeEnd) = (try Self.open("/dev/null"), nil)
        case .file(let path): (readEnd, writeEnd) = (try Self.open(path), nil)
        case .pipe:
            let pipe = try Pipe()
            signal(SIGPIPE, SIG_IGN)
            (readEnd, writeEnd) = (pipe.readEnd, pipe.writeEnd)
        }
    }

    private static func open(_ path: String) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw posixError(errno) }
        return descriptor
    }
}

/// Starts a process with `descriptors` as its standard input, output and error, and signals as at login.
func spawn(
    _ path: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    var variablePointers: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") }
    argumentPointers.append(nil)
    variablePointers.append(nil)
    defer { for pointer in argumentPointers + variablePointers { free(pointer) } }

    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, path, &actions, &attributes, argumentPointers, variablePointers)
    guard code == 0 else { throw posixError(code) }
    return identifier
}

func posixError(_ code: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL)
}
