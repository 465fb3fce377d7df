import Glibc

/// The name of a file that is being written: `.NAME.MACHINE.PROCESS.NUMBER.partial`.
struct TemporaryFileName: CustomStringConvertible {
    private static let ending = ".partial"

    /// The name that the file will have.
    let name: String
    /// Where the process's number has a meaning; see ``Self/ownMachine``.
    let machine: String
    /// The process that writes it.
    let process: Int32
    /// Tells the process's files apart.
    let number: UInt64

    /// The name of a file that this process writes.
    init(for name: String, number: UInt64) {
        self.name = name
        machine = Self.ownMachine
        process = getpid()
        self.number = number
    }

    /// - Returns: `nil` if the name is no temporary one.
    init?(parsing text: String) {
        guard text.hasPrefix("."), text.hasSuffix(Self.ending) else { return nil }
        let parts = text.dropFirst().dropLast(Self.ending.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, let number = UInt64(parts[parts.count - 1]),
            let process = Int32(parts[parts.count - 2]), process > 0
        else { return nil }
        name = parts.dropLast(3).joined(separator: ".")
        machine = String(parts[parts.count - 3])
        self.process = process
        self.number = number
    }

    /// The name.
    var description: String { ".\(name).\(machine).\(process).\(number)\(Self.ending)" }

    /// This start of this machine, and the set of processes that this one sees: a folder may be shared with other
    /// machines and containers, whose processes have the same numbers.
    static let ownMachine: String = {
        var boot = [UInt8](repeating: 0, count: 8)
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        let count = descriptor >= 0 ? read(descriptor, &boot, boot.count) : 0
        if descriptor >= 0 { close(descriptor) }
        var status = stat()
        let processes = stat("/proc/self/ns/pid", &status) == 0 ? UInt64(status.st_ino) : 0
        return String(decoding: boot.prefix(max(count, 0)), as: UTF8.self) + "-" + String(processes, radix: 16)
    }()
}
