import Foundation

extension RunningProgram {
    /// The memory that the process has in use now, in bytes.
    ///
    /// - Throws: an error of the file system if the process has ended.
    package var residentByteCount: Int {
        get throws {
            let fields = try statistics("statm").split(separator: " ")
            return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }

    /// The processor time that the process has used, all threads together.
    ///
    /// - Throws: an error of the file system if the process has ended.
    package var processorTime: Duration {
        get throws {
            // The name in the second field may contain spaces; the times are fields 14 and 15, in clock ticks.
            let fields = try statistics("stat").split(separator: ")").last?.split(separator: " ") ?? []
            let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
            return .seconds(Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))))
        }
    }

    private func statistics(_ name: String) throws -> String {
        try String(contentsOfFile: "/proc/\(identifier)/\(name)", encoding: .utf8)
    }
}
