import Glibc

/// Standard output or standard error, written without a buffer of ours.
///
/// Safe to use from several threads: a line goes out in one system call where the kernel takes it whole.
package enum StandardStream: Sendable {
    /// Where data goes.
    case output
    /// Where messages go.
    case error

    private var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }

    /// Writes a text and a line break.
    ///
    /// - Returns: whether all of it was written; `false` if the reader is gone or the disk is full.
    @discardableResult
    package func writeLine(_ text: String) -> Bool { write("\(text)\n") }

    /// Writes a text as it is.
    ///
    /// - Returns: whether all of it was written; `false` if the reader is gone or the disk is full.
    @discardableResult
    package func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if count > 0 {
                    offset += count
                } else if errno == EAGAIN {
                    var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&readiness, 1, -1)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The columns to wrap text to: `COLUMNS`, else the terminal's width, else 80.
    package var columns: Int {
        if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
