package import CameraMedia
import Glibc
import Synchronization

/// Files that appear whole or not at all: written under a temporary name in the same folder, then renamed.
package enum WholeFile {
    private static let counter = Atomic<UInt64>(0)
    private static let temporaryEnding = ".partial"

    /// Writes a file; one of that name is replaced.
    ///
    /// - Throws: ``ImagingError/cannotCreate(path:errno:)`` or ``ImagingError/cannotWrite(path:errno:)``; nothing is
    ///   left behind.
    package static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(ImagingError) {
        let (descriptor, temporaryPath) = try create(besides: path)
        let written = writeAll(bytes, to: descriptor)
        // Quota and network file systems report what they could not write only now.
        let closed = close(descriptor) == 0 || errno == EINTR ? 0 : errno
        guard written == 0, closed == 0 else {
            unlink(temporaryPath)
            throw .cannotWrite(path: path, errno: written != 0 ? written : closed)
        }
        guard rename(temporaryPath, path) == 0 else {
            let number = errno
            unlink(temporaryPath)
            throw .cannotCreate(path: path, errno: number)
        }
    }

    /// Writes a file; one of that name is replaced.
    ///
    /// - Throws: ``ImagingError/cannotCreate(path:errno:)`` or ``ImagingError/cannotWrite(path:errno:)``; nothing is
    ///   left behind.
    package static func write(_ bytes: [UInt8], to path: String) throws(ImagingError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(ImagingError) in try write(bytes, to: path) } }.get()
    }

    /// Writes a file; one of that name is replaced.
    ///
    /// - Throws: ``ImagingError/cannotCreate(path:errno:)`` or ``ImagingError/cannotWrite(path:errno:)``; nothing is
    ///   left behind.
    package static func write(_ bytes: SharedBytes, to path: String) throws(ImagingError) {
        try bytes.withUnsafeBytes { (bytes) throws(ImagingError) in try write(bytes, to: path) }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes it may have.
    /// - Throws: ``ImagingError/cannotRead(path:errno:)``, with `EFBIG` for a file that is longer.
    package static func read(_ path: String, limit: Int) throws(ImagingError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path: path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
        guard status.st_size <= limit else { throw .cannotRead(path: path, errno: EFBIG) }
        let expected = Int(status.st_size)
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
            while count < expected, let base = buffer.baseAddress {
                let result = Glibc.read(descriptor, base + count, expected - count)
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = errno }
                if result <= 0 { break }
                count += result
            }
        }
        if failure != 0 { throw .cannotRead(path: path, errno: failure) }
        return bytes
    }

    /// Removes the temporary files in a folder that processes left which are no more.
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
            guard let process = processOfTemporary(name), process != getpid(), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            if unlink("\(folder)/\(name)") == 0 { removed += 1 }
        }
        return removed
    }

    /// The process that a temporary name belongs to; `nil` if the name is no temporary one.
    static func processOfTemporary(_ name: String) -> Int32? {
        guard name.hasPrefix("."), name.hasSuffix(temporaryEnding) else { return nil }
        let parts = name.dropLast(temporaryEnding.count).split(separator: ".")
        guard parts.count >= 3, UInt64(parts[parts.count - 1]) != nil, let process = Int32(parts[parts.count - 2]),
            process > 0
        else { return nil }
        return process
    }

    /// Creates `.NAME.PROCESS.NUMBER.partial` in the folder of `path`.
    private static func create(besides path: String) throws(ImagingError) -> (descriptor: Int32, path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, name) = (path[..<start], path[start...])
        // A name may be taken if a process of the same number was killed; not a thousand times.
        for _ in 0..<1000 {
            let number = counter.add(1, ordering: .relaxed).newValue
            let temporary = "\(folder).\(name).\(getpid()).\(number)\(temporaryEnding)"
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (descriptor, temporary) }
            if errno != EEXIST && errno != EINTR { break }
        }
        throw .cannotCreate(path: path, errno: errno)
    }

    /// - Returns: 0, or the error's number.
    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var offset = 0
        while offset < bytes.count, let base = bytes.baseAddress {
            let result = Glibc.write(descriptor, base + offset, bytes.count - offset)
            if result < 0, errno == EINTR { continue }
            if result < 0 { return errno }
            offset += result
        }
        return 0
    }
}
