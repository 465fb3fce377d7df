package import CameraMedia
import Glibc

/// Writes a YUV4MPEG2 stream to a file or a pipe.
///
/// The first frame decides the header. Not thread-safe; blocks.
package struct Y4MWriter {
    private let descriptor: Int32
    private let frameRate: FrameRate?
    private var header: Y4MHeader?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write; stays the caller's, who closes it.
    ///   - frameRate: The rate that the header says; `nil` for unknown.
    package init(descriptor: Int32, frameRate: FrameRate? = nil) {
        self.descriptor = descriptor
        self.frameRate = frameRate
    }

    /// Writes a frame, before the first one the header.
    ///
    /// - Parameter frame: i420, i422, i444 or gray8, of the same size, layout and range every time.
    /// - Throws: ``Y4MError/formatChanged``, ``Y4MError/unsupportedColorSpace(_:)`` for another layout, or
    ///   ``Y4MError/system(errno:)``, with `EPIPE` if the reader is gone and `SIGPIPE` is ignored.
    package mutating func write(_ frame: PixelBuffer) throws(Y4MError) {
        guard
            let wanted = Y4MHeader(
                width: frame.width, height: frame.height, frameRate: frameRate, pixelFormat: frame.pixelFormat,
                colorimetry: frame.colorimetry)
        else { throw .unsupportedColorSpace(frame.pixelFormat.name) }
        if let header {
            guard header.isSameStream(as: wanted) else { throw .formatChanged }
        } else {
            try write(wanted.line + "\n")
            header = wanted
        }
        try write("FRAME\n")
        if frame.isPacked {
            try write(frame.planes[0].source, count: wanted.frameByteCount)
            return
        }
        for plane in frame.planes {
            for row in 0..<plane.rowCount {
                try write(plane.source + row * plane.bytesPerRow, count: plane.shape.rowByteCount)
            }
        }
    }

    private func write(_ text: String) throws(Y4MError) {
        let bytes = Array(text.utf8)
        let result = bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(Y4MError) in
                if let base = bytes.baseAddress { try write(base, count: bytes.count) }
            }
        }
        try result.get()
    }

    private func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Y4MError) {
        var offset = 0
        while offset < count {
            let result = Glibc.write(descriptor, bytes + offset, count - offset)
            if result >= 0 {
                offset += result
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw .system(errno: errno)
            }
        }
    }
}
