import Glibc

/// The device nodes of Video4Linux, found without udev.
enum DeviceNodes {
    /// `/dev/video0` and so on, by number.
    static func paths() -> [String] {
        names(in: "/dev").compactMap { name in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }.sorted().map { "/dev/video\($0)" }
    }

    /// A name of the node that it keeps when it is plugged in again.
    ///
    /// - Returns: `nil` where there is no udev to make one.
    static func stableLink(to path: String) -> String? {
        guard let node = target(of: path) else { return nil }
        for folder in ["/dev/v4l/by-id", "/dev/v4l/by-path"] {
            let links = names(in: folder).sorted().map { "\(folder)/\($0)" }
            if let link = links.first(where: { target(of: $0) == node }) { return link }
        }
        return nil
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
