import CLinux
import CameraCapture
import Glibc
import Synchronization

/// Follows the coming and going of cameras on a thread of its own, until it is stopped.
final class DeviceMonitor: Sendable {
    private let nodes: DeviceNodes
    private let look: @Sendable (_ path: String) -> CaptureDevice?
    private let report: @Sendable (CaptureDevice.ConnectionEvent) -> Void
    private let notifications: FileDescriptor
    private let wake: EventDescriptor
    private let isStopped = Atomic(false)

    /// Begins to watch; what changes from now on is reported.
    ///
    /// - Parameters:
    ///   - nodes: Where to look.
    ///   - look: Tells what a node is; `nil`: no camera, or not yet.
    ///   - report: Called with what has changed, in order.
    /// - Throws: ``CaptureInputError`` if the process has no descriptor left.
    init(
        _ nodes: DeviceNodes, look: @escaping @Sendable (_ path: String) -> CaptureDevice?,
        report: @escaping @Sendable (CaptureDevice.ConnectionEvent) -> Void
    ) throws(CaptureInputError) {
        self.nodes = nodes
        self.look = look
        self.report = report
        wake = try EventDescriptor(subject: nodes.devices)
        notifications = FileDescriptor(inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
        let mask = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
        guard notifications.number >= 0, inotify_add_watch(notifications.number, nodes.devices, mask) >= 0 else {
            throw CaptureInputError(file: nodes.devices, errno: errno)
        }
        var tracker = ConnectionTracker()
        for path in nodes.paths() { _ = tracker.appeared(path, as: look(path)) }
        _ = CaptureThread(name: "devices") { [self, tracker] in run(tracker) }
    }

    /// Ends the thread, soon.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wake.signal()
    }

    private func run(_ tracker: ConnectionTracker) {
        var tracker = tracker
        while !isStopped.load(ordering: .relaxed) {
            var descriptors = [
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: notifications.number, events: Int16(POLLIN), revents: 0),
            ]
            poll(&descriptors, 2, -1)
            guard descriptors[1].revents != 0 else { continue }
            for notification in readNotifications() {
                guard DeviceNodes.number(of: notification.name) != nil else { continue }
                let path = "\(nodes.devices)/\(notification.name)"
                let event =
                    notification.isRemoval ? tracker.disappeared(path) : tracker.appeared(path, as: look(path))
                if let event { report(event) }
            }
        }
    }

    private struct Notification {
        var name: String
        var isRemoval: Bool
    }

    private func readNotifications() -> [Notification] {
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(notifications.number, &bytes, bytes.count)
        var notifications: [Notification] = []
        var rest = bytes.prefix(max(0, count))
        let headerLength = MemoryLayout<inotify_event>.size
        while rest.count >= headerLength {
            let header = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(headerLength).prefix(Int(header.len)).prefix { $0 != 0 }
            notifications.append(
                Notification(
                    name: String(decoding: name, as: UTF8.self),
                    isRemoval: header.mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0))
            rest = rest.dropFirst(headerLength + Int(header.len))
        }
        return notifications
    }
}

/// Which cameras are there: a value without I/O.
struct ConnectionTracker: Sendable {
    private var devices: [String: CaptureDevice] = [:]

    /// A node was made, or may be opened by others now.
    mutating func appeared(_ path: String, as device: CaptureDevice?) -> CaptureDevice.ConnectionEvent? {
        guard devices[path] == nil, let device else { return nil }
        devices[path] = device
        return .wasConnected(device)
    }

    /// A node was removed.
    mutating func disappeared(_ path: String) -> CaptureDevice.ConnectionEvent? {
        devices.removeValue(forKey: path).map { .wasDisconnected($0) }
    }
}

extension CaptureDevice {
    /// A camera came or went.
    public enum ConnectionEvent: Sendable, Hashable {
        /// It was plugged in and can be opened.
        case wasConnected(CaptureDevice)
        /// It was unplugged.
        case wasDisconnected(CaptureDevice)
    }

    /// The cameras that come and go from now on.
    ///
    ///     for await event in CaptureDevice.connectionEvents {
    ///         if case .wasConnected(let device) = event { print(device.localizedName) }
    ///     }
    ///
    /// Everybody who asks gets a sequence of their own. It ends with the task that iterates over it; at once if the
    /// process has no descriptor left.
    public static var connectionEvents: AsyncStream<ConnectionEvent> {
        connectionEvents(of: .system) { try? DeviceRegistry.shared.device(atPath: $0) }
    }

    static func connectionEvents(
        of nodes: DeviceNodes, look: @escaping @Sendable (_ path: String) -> CaptureDevice?
    ) -> AsyncStream<ConnectionEvent> {
        AsyncStream { continuation in
            do throws(CaptureInputError) {
                let monitor = try DeviceMonitor(nodes, look: look) { continuation.yield($0) }
                continuation.onTermination = { _ in monitor.stop() }
            } catch {
                continuation.finish()
            }
        }
    }
}
