import CLinux
public import CameraCapture
import Glibc
import Synchronization

/// Captures from a device, in the format its session's preset asks for, or in the device's active format.
///
/// A camera that is unplugged, fails or stalls interrupts its session, which goes on when the camera is back.
public final class CaptureDeviceInput: CaptureInput {
    /// The device.
    public let device: CaptureDevice
    private let running = Mutex<(any CaptureInput)?>(nil)

    /// Looks whether the device can be used.
    ///
    /// - Throws: ``CaptureInputError``: the device is gone (`notFound`), may not be opened (`permissionDenied`), is in use
    ///   by another program or another session (`busy`), captures no video (`notACaptureDevice`), or has no format that can be captured
    ///   (`unsupportedFormat`).
    public init(device: CaptureDevice) throws(CaptureInputError) {
        self.device = device
        guard let path = device.devicePath else { return }
        let camera = try V4L2Device(path: path)
        try camera.checkIsFree()
        guard camera.capabilities().contains(where: { V4L2Encoding($0.fourCC) != nil }) else {
            throw CaptureInputError(
                .unsupportedFormat, subject: path, reason: "it has none of the supported pixel formats",
                remedy: "see camserver --list-formats \(path)")
        }
    }

    /// The device's name.
    public var localizedName: String { device.localizedName }
}

// MARK: - For the session

extension CaptureDeviceInput {
    /// Called by the session.
    public var hasActiveFormat: Bool { device.configuration.withLock { $0.chosenFormat != nil } }

    /// Called by the session.
    public func supportsSessionPreset(_ preset: SessionPreset) -> Bool { device.supportsSessionPreset(preset) }

    /// Called by the session.
    public func attach(to port: CaptureInputPort) {
        device.configuration.withLock { $0.add(port) }
    }

    /// Called by the session.
    public func detach(from port: CaptureInputPort) {
        device.configuration.withLock { $0.remove(port) }
    }

    /// Called by the session.
    public func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        let (input, configuration) = makeInput(configuration)
        try input.start(configuration, port: port)
        running.withLock { $0 = input }
    }

    /// Called by the session.
    public func stop() {
        running.withLock { $0.take() }?.stop()
    }

    /// What captures, and what it is asked for.
    private func makeInput(_ configuration: CaptureConfiguration) -> (any CaptureInput, CaptureConfiguration) {
        var configuration = configuration
        let preferred = device.preferredFormat(for: configuration)
        let isPreset = configuration.preset != .inputPriority
        let format = device.configuration.withLock { settings in
            if isPreset { settings.presetChose(preferred) }
            configuration.frameRate = settings.frameRate(wanted: configuration.frameRate, in: settings.activeFormat)
            return isPreset ? nil : settings.chosenFormat
        }
        guard let path = device.devicePath else {
            let size = format?.size ?? TestPatternInput.size(for: configuration.preset)
            return (TestPatternInput(size: size), configuration)
        }
        let request = format.map {
            V4L2FormatRequest(fourCC: $0.fourCC, size: $0.size, frameRate: configuration.frameRate)
        }
        return (V4L2Input(devicePath: path, name: localizedName, format: request), configuration)
    }
}

extension V4L2Device {
    /// - Throws: ``CaptureInputError`` if another program captures from the device.
    fileprivate func checkIsFree() throws(CaptureInputError) {
        // Whoever captures owns the driver's queue; asking it for no buffers changes nothing otherwise.
        var buffers = v4l2_requestbuffers()
        buffers.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        buffers.memory = V4L2_MEMORY_MMAP.rawValue
        let number = attempt(clinux_VIDIOC_REQBUFS, &buffers)
        if number == EBUSY { throw CaptureInputError(errno: number, subject: path) }
    }
}
