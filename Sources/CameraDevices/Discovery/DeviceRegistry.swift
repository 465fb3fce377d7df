import CameraCapture
import Synchronization

/// Looks at device nodes, and knows the devices that somebody refers to, so that one object stands for each. May be used
/// from any thread.
final class DeviceRegistry: Sendable {
    private struct Entry {
        weak var device: CaptureDevice?
    }

    /// What is there at the moment.
    struct Discovery {
        /// The cameras by number, those that cannot be opened included.
        var devices: [CaptureDevice] = []
        /// The cameras that can be opened.
        var openDevices: [CaptureDevice] = []
        /// Why others cannot be.
        var failures: [CaptureInputError] = []
    }

    static let shared = DeviceRegistry(nodes: .system)

    private let nodes: DeviceNodes
    /// By path.
    private let known = Mutex<[String: Entry]>([:])

    init(nodes: DeviceNodes) {
        self.nodes = nodes
    }

    /// Looks at all nodes of this machine; those that do not capture are left out.
    func discover() -> Discovery {
        var discovery = Discovery()
        for path in nodes.paths() {
            do throws(CaptureInputError) {
                let device = try device(atPath: path)
                discovery.devices.append(device)
                discovery.openDevices.append(device)
            } catch {
                if error.code == .notACaptureDevice || error.code == .notFound { continue }
                discovery.failures.append(error)
                // Of the nodes of a device that cannot be opened, the first is the one with the pictures.
                if (nodes.index(of: path) ?? 0) == 0 { discovery.devices.append(closedDevice(atPath: path)) }
            }
        }
        return discovery
    }

    /// The device with a node.
    ///
    /// - Throws: ``CaptureInputError`` if it cannot be opened or does not capture video.
    func device(atPath path: String) throws(CaptureInputError) -> CaptureDevice {
        let device = try V4L2Device(path: path)
        let identity = device.identity
        return unique(
            CaptureDevice(
                uniqueID: uniqueID(of: path, fallback: identity.bus), localizedName: identity.card,
                position: nodes.position(of: path), devicePath: path, driver: identity.driver, bus: identity.bus,
                capabilities: device.capabilities()))
    }

    private func closedDevice(atPath path: String) -> CaptureDevice {
        unique(
            CaptureDevice(
                uniqueID: uniqueID(of: path, fallback: path), localizedName: nodes.name(of: path) ?? path,
                position: nodes.position(of: path), devicePath: path))
    }

    private func uniqueID(of path: String, fallback: String) -> String {
        if let link = nodes.stableLink(to: path) { return link }
        // A device may have several nodes with pictures.
        guard let index = nodes.index(of: path), index > 0 else { return fallback }
        return "\(fallback)-index\(index)"
    }

    /// The object that stands for the same device already, or else this one.
    private func unique(_ device: CaptureDevice) -> CaptureDevice {
        known.withLock { known in
            if let old = known[device.path]?.device, old == device, old.capabilities == device.capabilities {
                return old
            }
            known = known.filter { $1.device != nil }
            known[device.path] = Entry(device: device)
            return device
        }
    }
}
