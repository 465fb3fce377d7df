import Glibc

/// The device nodes of Video4Linux and what the system tells of them, found without udev.
struct DeviceNodes: Sendable {
    /// Where the nodes are.
    var devices = "/dev"
    /// Where the kernel describes them.
    var attributes = "/sys/class/video4linux"

    /// Those of this machine.
    static let system = DeviceNodes()

    /// `/dev/video0` and so on, by number.
    func paths() -> [String] {
        Self.names(in: devices).compactMap(Self.number).sorted().map { "\(devices)/video\($0)" }
    }

    /// The number of a node of this name; `nil` if it is something else.
    static func number(of name: String) -> Int? {
        name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }

    /// A name of the node that it keeps when it is plugged in again.
    ///
    /// - Returns: `nil` where there is no udev to make one.
    func stableLink(to path: String) -> String? {
        guard let node = Self.target(of: path) else { return nil }
        for folder in ["\(devices)/v4l/by-id", "\(devices)/v4l/by-path"] {
            let links = Self.names(in: folder).sorted().map { "\(folder)/\($0)" }
            if let link = links.first(where: { Self.target(of: $0) == node }) { return link }
        }
        return nil
    }

    /// What the kernel calls the node's device, which needs no permission to open it; `nil` if it does not say.
    func name(of path: String) -> String? { attribute("name", of: path) }

    /// The number of the node among those of its device, 0 for the one that delivers the pictures; `nil` if the kernel
    /// does not say.
    func index(of path: String) -> Int? { attribute("index", of: path).flatMap { Int($0) } }

    /// Where on the machine the device is, if the firmware tells.
    func position(of path: String) -> CaptureDevice.Position {
        // Of a USB camera, the node's device is an interface, and the camera itself one level up.
        let panels = ["device/physical_location/panel", "device/../physical_location/panel"]
        for panel in panels {
            switch attribute(panel, of: path) {
            case "front": return .front
            case "back": return .back
            default: continue
            }
        }
        return .unspecified
    }

    private func attribute(_ name: String, of path: String) -> String? {
        guard let node = Self.target(of: path)?.split(separator: "/").last,
            let file = fopen("\(attributes)/\(node)/\(name)", "r")
        else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) { names.append(String(fixed: entry.pointee.d_name)) }
        return names.filter { !$0.hasPrefix(".") }
    }

    private static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
