import CameraCapture
import Glibc

extension CaptureInputError {
    /// What a system call's error number means for whoever wants frames.
    init(errno number: Int32, subject: String) {
        switch number {
        case ENOENT, ENODEV, ENXIO:
            self.init(.notFound, subject: subject, reason: "no such device", remedy: "see --list-devices")
        case EACCES, EPERM:
            self.init(
                .permissionDenied, subject: subject, reason: "permission denied",
                remedy: "add yourself to the 'video' group: sudo usermod -aG video $USER, then log in again")
        case EBUSY:
            self.init(
                .busy, subject: subject, reason: "another program is using it",
                remedy: "close that program (fuser \(subject) names it)")
        case ENOTTY, ENOTDIR:
            self.init(.notACaptureDevice, subject: subject, reason: "not a capture device")
        case EMFILE, ENFILE, ENOMEM:
            self.init(.outOfResources, subject: subject, reason: Self.text(of: number))
        default:
            self.init(.device, subject: subject, reason: Self.text(of: number))
        }
    }

    static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercasedFirst
    }
}

extension String {
    /// The text with its first letter in lower case.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
