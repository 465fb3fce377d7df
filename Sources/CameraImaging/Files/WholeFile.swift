package import CameraMedia
import Glibc
import Synchronization

/// Files that appear whole or not at all: written under a temporary name in the same folder, then renamed.
package enum WholeFile {
    private static let counter = Atomic<UInt64>(0)

    /// Writes a file; one of that name is replaced.
    ///
    /// - Throws: ``ImagingError/cannotCreate(path:errno:)`` or ``ImagingError/cannotWrite(path:errno:)``; nothing is
    ///   left behind.
    package static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(ImagingError) {
        let (descriptor, temporaryPath) = try create(besides: path)
        let written = writeAll(bytes, to: descriptor)
        // Quota and network file systems report what they could not write only now.
        let closeResult = close(descriptor)
        let closeNumber = errno
        let closed = closeResult == 0 || closeNumber == EINTR ? 0 : closeNumber
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
        let (descriptor, expected) = try openForReading(path, limit: limit)
        defer { close(descriptor) }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
            (count, failure) = readAll(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
        }
        if failure != 0 { throw .cannotRead(path: path, errno: failure) }
        return bytes
    }

    /// Reads a file into a block of a pool.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes it may have.
    ///   - pool: Where the memory comes from.
    /// - Throws: ``ImagingError/cannotRead(path:errno:)``, with `EFBIG` for a file that is longer;
    ///   ``ImagingError/outOfBuffers`` if the pool has no block left.
    package static func read(_ path: String, limit: Int, pool: MemoryPool) throws(ImagingError) -> SharedBytes {
        let (descriptor, expected) = try openForReading(path, limit: limit)
        defer { close(descriptor) }
        guard let block = pool.makeBlock(byteCount: expected) else { throw .outOfBuffers }
        let target = UnsafeMutableRawBufferPointer(start: block.base, count: expected)
        let (count, failure) = readAll(descriptor, into: target)
        if failure != 0 { throw .cannotRead(path: path, errno: failure) }
        return SharedBytes(block: block, count: count)
    }

    /// - Returns: An open descriptor, the caller's to close, and the file's length.
    private static func openForReading(
        _ path: String, limit: Int
    ) throws(ImagingError) -> (descriptor: Int32, byteCount: Int) {
        // A pipe among the files must not be waited for.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path: path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw .cannotRead(path: path, errno: number)
        }
        guard status.st_size <= limit else {
            close(descriptor)
            throw .cannotRead(path: path, errno: EFBIG)
        }
        return (descriptor, Int(status.st_size))
    }

    /// - Returns: The bytes read, fewer if the file became shorter, and 0 or the error's number.
    private static func readAll(
        _ descriptor: Int32, into target: UnsafeMutableRawBufferPointer
    ) -> (count: Int, failure: Int32) {
        var count = 0
        while count < target.count, let base = target.baseAddress {
            let result = Glibc.read(descriptor, base + count, target.count - count)
            let number = errno
            if result < 0, number == EINTR { continue }
            if result < 0 { return (count, number) }
            if result == 0 { break }
            count += result
        }
        return (count, 0)
    }

    /// Creates a temporary file in the folder of `path`.
    private static func create(besides path: String) throws(ImagingError) -> (descriptor: Int32, path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, name) = (path[..<start], String(path[start...]))
        // A name may be taken if a process of the same number was killed; not a thousand times.
        var failure: Int32 = 0
        for _ in 0..<1000 {
            let number = counter.add(1, ordering: .relaxed).newValue
            let temporary = "\(folder)\(TemporaryFileName(for: name, number: number))"
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            failure = errno
            if descriptor >= 0 { return (descriptor, temporary) }
            if failure != EEXIST && failure != EINTR { break }
        }
        throw .cannotCreate(path: path, errno: failure)
    }

    /// - Returns: 0, or the error's number.
    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var offset = 0
        while offset < bytes.count, let base = bytes.baseAddress {
            let result = Glibc.write(descriptor, base + offset, bytes.count - offset)
            let number = errno
            if result < 0, number == EINTR { continue }
            if result < 0 { return number }
            offset += result
        }
        return 0
    }
}
