import CameraCapture
import CameraImaging
import CameraMedia
import CameraProtocol

/// Makes a picture of what the driver has filled, by reference unless the driver runs out of buffers.
struct V4L2FrameReader {
    /// The most pictures in memory other than the driver's.
    private static let copyLimit = 16

    let format: V4L2StreamFormat
    private let pool = MemoryPool(limit: copyLimit)

    init(format: V4L2StreamFormat) {
        self.format = format
    }

    /// The picture in a buffer.
    ///
    /// - Parameters:
    ///   - buffer: What the driver has filled.
    ///   - isScarce: Whether the driver needs the buffer back soon: the picture is copied then, as long as memory for
    ///     copies is left, so that consumers that stall do not stop the camera.
    /// - Throws: The reason to drop the frame: it is cut short, of another size or no picture at all, or memory is out.
    func picture(in buffer: V4L2FilledBuffer, isScarce: Bool) throws(DropFrame) -> SampleBuffer.Content {
        switch format.encoding {
        case .jpeg: return .encoded(try image(in: buffer, isScarce: isScarce))
        case .pixels(let pixelFormat):
            let picture = try pixels(in: buffer, as: pixelFormat)
            return .pixels(isScarce ? copy(of: picture) ?? picture : picture)
        }
    }

    /// A frame is to be dropped.
    struct DropFrame: Error, Equatable {
        var reason: DropReason
    }

    private func pixels(in buffer: V4L2FilledBuffer, as pixelFormat: PixelFormat) throws(DropFrame) -> PixelBuffer {
        let base = buffer.mapping.base.assumingMemoryBound(to: UInt8.self)
        let (planes, byteCount) = format.planes(pixelFormat, at: base)
        guard buffer.byteCount >= byteCount else { throw DropFrame(reason: .corrupt) }
        return PixelBuffer(
            width: Int(format.size.width), height: Int(format.size.height), pixelFormat: pixelFormat,
            colorimetry: format.colorimetry, planes: planes, owner: buffer)
    }

    /// - Returns: `nil` if there is no memory for copies left.
    private func copy(of picture: PixelBuffer) -> PixelBuffer? {
        try? PixelBuffer(
            width: picture.width, height: picture.height, pixelFormat: picture.pixelFormat,
            colorimetry: picture.colorimetry, pool: pool
        ) { planes in picture.copyPacked(to: planes[0].base) }
    }

    private func image(in buffer: V4L2FilledBuffer, isScarce: Bool) throws(DropFrame) -> EncodedImage {
        let bytes = UnsafeRawBufferPointer(start: buffer.mapping.base, count: buffer.byteCount)
        guard let markers = try? JPEGMarkers.parse(bytes), let end = markers.endOffset, markers.size == format.size
        else { throw DropFrame(reason: .corrupt) }
        if isScarce || !markers.hasHuffmanTables, let copy = try? markers.completed(bytes, pool: pool) { return copy }
        guard markers.hasHuffmanTables else { throw DropFrame(reason: .outOfBuffers) }
        return EncodedImage(
            codec: .jpeg, width: Int(markers.size.width), height: Int(markers.size.height), colorimetry: .jpeg,
            data: SharedBytes(base: UnsafeRawPointer(buffer.mapping.base), count: end, owner: buffer))
    }
}
