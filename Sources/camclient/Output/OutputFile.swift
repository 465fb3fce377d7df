import CommandLineOptions
import Glibc

/// A file, or standard output, that is written from one thread at a time.
final class OutputFile: Sendable {
    let descriptor: Int32
    private let path: String

    /// Opens the file, or creates it; `-` is standard output. What it holds stays until ``empty()``.
    init(path: String) throws {
        self.path = path
        descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw RuntimeFailure(
                subject: path, reason: String(cString: strerror(errno)), remedy: "choose another file with --output",
                exitCode: .cannotCreate)
        }
    }

    deinit {
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    /// Throws away what a file holds; does nothing to a pipe.
    func empty() {
        if descriptor != STDOUT_FILENO { _ = ftruncate(descriptor, 0) }
    }

    /// Writes all of it; blocks.
    ///
    /// - Returns: `false` if the reader is gone.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            if count >= 0 {
                offset += count
            } else if errno == EAGAIN {
                var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&readiness, 1, -1)
            } else if errno != EINTR {
                return try failed(errno)
            }
        }
        return true
    }

    /// What a failed write means: the reader is gone (`false`), or an error.
    func failed(_ code: Int32) throws -> Bool {
        if code == EPIPE { return false }
        throw RuntimeFailure(
            subject: path == "-" ? "standard output" : path, reason: String(cString: strerror(code)),
            remedy: "free some space, or write elsewhere", exitCode: .inputOutput)
    }
}
