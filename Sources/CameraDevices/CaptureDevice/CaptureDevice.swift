public import CameraCapture
import Glibc
import Synchronization

/// A camera of this machine, or the built-in test pattern: what it is called, what it can do, and how it is set up.
///
///     guard let device = CaptureDevice.default(for: .video) else { return }
///     let input = try CaptureDeviceInput(device: device)
///
/// One object stands for a device as long as anybody refers to it, whichever way it was found; but a camera that was
/// unplugged and comes back under another device node is another object, equal to the first. May be used from any thread.
public final class CaptureDevice: Sendable {
    /// A kind of device.
    public enum DeviceType: Sendable, Hashable {
        /// A camera behind Video4Linux.
        case camera
        /// The built-in test pattern.
        case testPattern
    }

    /// Where on the machine a camera looks from.
    public enum Position: Sendable, Hashable {
        /// Not known, as for most cameras that are plugged in.
        case unspecified
        /// From behind the machine's display, away from its user.
        case back
        /// At the machine's user.
        case front
    }

    /// Names the device and stays the same when it is plugged in again, as far as the system tells: a link in
    /// `/dev/v4l/by-id` or `by-path`, else the place where it is plugged in.
    public let uniqueID: String
    /// What a person calls it; for a camera that cannot be opened, its path if the system does not tell more.
    public let localizedName: String
    /// The kind of device.
    public let deviceType: DeviceType
    /// Where on the machine it is, if the firmware tells.
    public let position: Position
    /// The device node, such as `/dev/video0`; `nil` for the test pattern.
    public let devicePath: String?
    /// The formats that can be captured, in the driver's order; empty for a camera that cannot be opened:
    /// ``CaptureDeviceInput/init(device:)`` throws why.
    ///
    /// Of a driver that has all sizes in a range, the sizes of the session presets within it and the largest are named.
    public let formats: [Format]

    /// The kernel driver; empty for the test pattern.
    package let driver: String
    /// Where it is plugged in; empty for the test pattern.
    package let bus: String
    /// All that the driver lists, in its order, formats that cannot be captured included.
    package let capabilities: [V4L2Capability]
    let configuration: Mutex<DeviceConfiguration>

    init(
        uniqueID: String, localizedName: String, deviceType: DeviceType = .camera, position: Position = .unspecified,
        devicePath: String?, driver: String = "", bus: String = "", capabilities: [V4L2Capability] = []
    ) {
        self.uniqueID = uniqueID
        self.localizedName = localizedName
        self.deviceType = deviceType
        self.position = position
        self.devicePath = devicePath
        self.driver = driver
        self.bus = bus
        self.capabilities = capabilities
        formats = capabilities.flatMap(Format.formats)
        configuration = Mutex(DeviceConfiguration(subject: localizedName, formats: formats))
    }

    /// Whether the device is there: a camera may have been unplugged.
    public var isConnected: Bool { devicePath.map { access($0, F_OK) == 0 } ?? true }

    /// Whether the device delivers a kind of media.
    public func hasMediaType(_ mediaType: MediaType) -> Bool { mediaType == .video }

    /// Whether the device can deliver the size that a preset names, or a larger one; true for presets that name no
    /// size: photo, high, medium, low and inputPriority.
    public func supportsSessionPreset(_ preset: SessionPreset) -> Bool {
        guard let size = preset.namedSize, !formats.isEmpty else { return true }
        return formats.contains { $0.size.width >= size.width && $0.size.height >= size.height }
    }

    /// What `--source` takes: the device node, or `test`.
    package var path: String { devicePath ?? "test" }
}

extension CaptureDevice: Hashable, CustomStringConvertible {
    /// Whether both are the same device, by its ``uniqueID``.
    public static func == (first: CaptureDevice, second: CaptureDevice) -> Bool {
        first.uniqueID == second.uniqueID
    }

    /// Hashes the device's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(uniqueID)
    }

    /// For a person.
    public var description: String { "\(localizedName) (\(path))" }
}

extension SessionPreset {
    /// The size in the preset's name; `nil` if there is none.
    var namedSize: PixelSize? {
        switch self {
        case .photo, .high, .medium, .low, .inputPriority: nil
        case .cif352x288, .vga640x480, .qHD960x540, .hd1280x720, .hd1920x1080, .hd4K3840x2160, .iFrame960x540,
            .iFrame1280x720:
            maximumSize
        }
    }
}
