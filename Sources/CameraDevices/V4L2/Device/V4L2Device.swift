import CLinux
import CameraCapture
import CameraProtocol
import Glibc

/// An open Video4Linux device node that captures; closed with the last reference. May be used from any thread.
final class V4L2Device: Sendable {
    /// What the driver says of itself.
    struct Identity: Hashable {
        var driver: String
        var card: String
        var bus: String
    }

    let path: String
    let descriptor: Int32
    let identity: Identity

    /// Opens a node.
    ///
    /// - Throws: ``CaptureInputError`` if it cannot be opened, or does not capture single-planar video by streaming.
    init(path: String) throws(CaptureInputError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureInputError(errno: errno, subject: path) }
        var capability = v4l2_capability()
        let number = clinux_ioctl(descriptor, clinux_VIDIOC_QUERYCAP, &capability)
        identity = Identity(
            driver: String(fixed: capability.driver), card: String(fixed: capability.card),
            bus: String(fixed: capability.bus_info))
        guard number == 0 else {
            throw CaptureInputError(errno: number == EINVAL ? ENOTTY : number, subject: path)
        }
        let flags =
            capability.capabilities & clinux_V4L2_CAP_DEVICE_CAPS != 0
            ? capability.device_caps : capability.capabilities
        guard flags & clinux_V4L2_CAP_VIDEO_CAPTURE != 0, flags & clinux_V4L2_CAP_STREAMING != 0 else {
            throw CaptureInputError(.notACaptureDevice, subject: path, reason: "not a capture device")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes a request.
    ///
    /// - Throws: ``CaptureInputError`` made of the driver's error number.
    func request<Argument>(_ request: UInt, _ argument: inout Argument) throws(CaptureInputError) {
        let number = attempt(request, &argument)
        guard number == 0 else { throw CaptureInputError(errno: number, subject: path) }
    }

    /// Makes a request.
    ///
    /// - Returns: 0, or the driver's error number.
    func attempt<Argument>(_ request: UInt, _ argument: inout Argument) -> Int32 {
        withUnsafeMutablePointer(to: &argument) { clinux_ioctl(descriptor, request, $0) }
    }
}

extension String {
    /// Text in a C array of fixed length, up to its first zero.
    init<Array>(fixed array: Array) {
        self = withUnsafeBytes(of: array) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
