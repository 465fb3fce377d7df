import CameraCapture
import Glibc

/// A descriptor that is closed with its last reference.
final class FileDescriptor: Sendable {
    /// Negative if opening failed.
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        if number >= 0 { close(number) }
    }
}

extension CaptureInputError {
    /// What a system call's error number means for whoever wants to read a file or folder.
    init(file: String, errno number: Int32) {
        switch number {
        case ENOENT: self.init(.notFound, subject: file, reason: "no such file")
        case EACCES, EPERM:
            self.init(
                .permissionDenied, subject: file, reason: "permission denied", remedy: "make it readable (chmod +r)")
        case EISDIR: self.init(.invalidData, subject: file, reason: "a folder, not a file")
        case ENOTDIR: self.init(.notFound, subject: file, reason: "not a folder")
        default: self.init(errno: number, subject: file)
        }
    }
}
