import CameraCapture
import Glibc

/// A driver's buffer in this process's memory, readable only; unmapped with the last reference.
///
/// The driver writes to it only while it has it; nobody refers to its content then, which makes it `Sendable`.
final class V4L2Mapping: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let length: Int
    private let reservedLength: Int

    /// Maps a buffer of a device.
    ///
    /// - Throws: ``CaptureInputError`` if the driver refuses.
    init(device: V4L2Device, offset: UInt32, length: Int) throws(CaptureInputError) {
        // SIMD code may read a few bytes past the last row: a page of zeros follows.
        let page = Int(getpagesize())
        let reservedLength = (length + page - 1) / page * page + page
        guard length > 0,
            let base = Self.map(nil, reservedLength, MAP_PRIVATE | MAP_ANONYMOUS, descriptor: -1, offset: 0)
        else { throw CaptureInputError(.outOfResources, subject: device.path, reason: "no memory for its buffers") }
        guard Self.map(base, length, MAP_SHARED | MAP_FIXED, descriptor: device.descriptor, offset: offset) != nil
        else {
            let number = errno
            munmap(base, reservedLength)
            throw CaptureInputError(errno: number, subject: device.path)
        }
        self.base = base
        self.length = length
        self.reservedLength = reservedLength
    }

    deinit {
        munmap(base, reservedLength)
    }

    private static func map(
        _ address: UnsafeMutableRawPointer?, _ length: Int, _ flags: Int32, descriptor: Int32, offset: UInt32
    ) -> UnsafeMutableRawPointer? {
        let result = mmap(address, length, PROT_READ, flags, descriptor, Int(offset))
        return result == UnsafeMutableRawPointer(bitPattern: -1) ? nil : result
    }
}
