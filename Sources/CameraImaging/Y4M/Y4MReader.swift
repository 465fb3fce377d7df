package import CameraMedia
import Glibc

/// Reads a YUV4MPEG2 stream from a file, a pipe or a socket.
///
/// Pixels go from the descriptor straight to their buffer: nothing is read ahead. Not thread-safe; blocks.
package struct Y4MReader {
    /// The most bytes of the first line and of a `FRAME` line.
    private static let maximumLineLength = 1024

    /// The first line.
    package let header: Y4MHeader
    /// Whole frames read so far.
    package private(set) var frameCount = 0
    private let input: InputDescriptor

    /// Reads the first line.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read; stays the caller's, who closes it.
    ///   - interrupt: A descriptor, such as an `eventfd`, that ends every wait once it is readable; `nil` for none.
    /// - Throws: If the stream is not one that can be handled.
    package init(descriptor: Int32, interruptedBy interrupt: Int32? = nil) throws(Y4MError) {
        input = InputDescriptor(descriptor: descriptor, interrupt: interrupt)
        var line: [UInt8] = []
        let signature = Array("YUV4MPEG2".utf8)
        while true {
            guard let byte = try input.readByte(), line.count < Self.maximumLineLength else { throw .notY4M }
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
            guard line.count > signature.count || signature.starts(with: line) else { throw .notY4M }
        }
        header = try Y4MHeader(parsing: String(decoding: line, as: UTF8.self))
    }

    /// The next frame.
    ///
    /// - Parameter pool: Where its memory comes from.
    /// - Returns: `nil` if the stream ends, cleanly, after the frame before.
    /// - Throws: ``Y4MError/truncated(frame:)`` if it ends within the frame. After ``Y4MError/outOfBuffers`` it can be
    ///   called again; after any other error it cannot.
    package mutating func readFrame(pool: MemoryPool) throws(Y4MError) -> PixelBuffer? {
        guard let block = pool.makeBlock(byteCount: header.frameByteCount + 64) else { throw .outOfBuffers }
        guard try readFrameHeader() else { return nil }
        let target = UnsafeMutableRawBufferPointer(start: block.base, count: header.frameByteCount)
        guard try input.read(into: target) == target.count else { throw .truncated(frame: frameCount) }
        frameCount += 1
        let planes = PlaneMemory.packed(
            header.pixelFormat, width: header.width, height: header.height,
            at: block.base.assumingMemoryBound(to: UInt8.self))
        return PixelBuffer(
            width: header.width, height: header.height, pixelFormat: header.pixelFormat,
            colorimetry: header.colorimetry, planes: planes, owner: block)
    }

    /// Reads the `FRAME` line; its parameters are passed over.
    ///
    /// - Returns: Whether there is one.
    private func readFrameHeader() throws(Y4MError) -> Bool {
        var start: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0, 0)
        let result = withUnsafeMutableBytes(of: &start) { bytes in
            Result { () throws(Y4MError) in
                let count = try input.read(into: bytes)
                return (count: count, isFrame: bytes.prefix(min(count, 5)).elementsEqual("FRAME".utf8.prefix(count)))
            }
        }
        let (count, isFrame) = try result.get()
        if count == 0 { return false }
        guard isFrame else { throw .badFrameHeader(frame: frameCount) }
        guard count == 6 else { throw .truncated(frame: frameCount) }
        var byte = start.5
        var length = count
        guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") else { throw .badFrameHeader(frame: frameCount) }
        while byte != UInt8(ascii: "\n") {
            guard length < Self.maximumLineLength else { throw .badFrameHeader(frame: frameCount) }
            guard let next = try input.readByte() else { throw .truncated(frame: frameCount) }
            byte = next
            length += 1
        }
        return true
    }
}

/// A descriptor that is read in full, whatever the size of the pieces that come.
private struct InputDescriptor {
    let descriptor: Int32
    let interrupt: Int32?

    /// Reads until the memory is full or the input ends.
    ///
    /// - Returns: The bytes read.
    func read(into target: UnsafeMutableRawBufferPointer) throws(Y4MError) -> Int {
        var count = 0
        while count < target.count, let base = target.baseAddress {
            try wait()
            let result = Glibc.read(descriptor, base + count, target.count - count)
            if result == 0 { break }
            if result > 0 {
                count += result
            } else if errno == EAGAIN {
                try wait(forInput: true)
            } else if errno != EINTR {
                throw .system(errno: errno)
            }
        }
        return count
    }

    /// - Returns: `nil` if the input ends.
    func readByte() throws(Y4MError) -> UInt8? {
        var byte: UInt8 = 0
        let result = withUnsafeMutableBytes(of: &byte) { bytes in
            Result { () throws(Y4MError) in try read(into: bytes) }
        }
        return try result.get() == 0 ? nil : byte
    }

    /// Waits for input if the wait can be interrupted, or if there is none now.
    private func wait(forInput mustWait: Bool = false) throws(Y4MError) {
        guard mustWait || interrupt != nil else { return }
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let interrupt { descriptors.append(pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0)) }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
            guard errno == EINTR else { throw .system(errno: errno) }
        }
        if descriptors.count > 1, descriptors[1].revents != 0 { throw .interrupted }
    }
}
