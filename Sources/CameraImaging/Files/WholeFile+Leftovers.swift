import Glibc

extension WholeFile {
    /// No file takes that long to be written.
    private static let longestWrite = 3600

    /// Removes the temporary files in a folder whose writer was killed.
    ///
    /// That is certain of a process of this machine, since its start and in this container, that is no more. Of others
    /// nothing can be known, so that their files go once they were not touched for an hour.
    ///
    /// - Returns: How many were removed; 0 if the folder cannot be read.
    @discardableResult
    package static func removeLeftovers(in folder: String) -> Int {
        guard let handle = opendir(folder) else { return 0 }
        defer { closedir(handle) }
        var removed = 0
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let temporary = TemporaryFileName(parsing: name) else { continue }
            let path = "\(folder)/\(name)"
            let isLeft =
                temporary.machine == TemporaryFileName.ownMachine
                ? isGone(temporary.process) : isUntouched(path)
            if isLeft, unlink(path) == 0 { removed += 1 }
        }
        return removed
    }

    private static func isGone(_ process: Int32) -> Bool {
        let result = kill(process, 0)
        let number = errno
        return result != 0 && number == ESRCH
    }

    private static func isUntouched(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && time(nil) - status.st_mtim.tv_sec > longestWrite
    }
}
