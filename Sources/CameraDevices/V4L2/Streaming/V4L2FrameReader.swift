import CameraCapture
import CameraImaging
import CameraMedia
import CameraProtocol

/// Makes a picture of what the driver has filled, by reference.
struct V4L2FrameReader {
    let format: V4L2StreamFormat
    /// For images that need their Huffman tables added.
    private let pool: MemoryPool

    init(format: V4L2StreamFormat, bufferCount: Int) {
        self.format = format
        pool = MemoryPool(limit: bufferCount)
    }

    /// The picture in a buffer.
    ///
    /// - Throws: The reason to drop the frame: it is cut short, of another size or no picture at all, or memory is out.
    func picture(in buffer: V4L2FilledBuffer) throws(DropFrame) -> SampleBuffer.Content {
        switch format.encoding {
        case .jpeg: .encoded(try image(in: buffer))
        case .pixels(let pixelFormat): .pixels(try pixels(in: buffer, as: pixelFormat))
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

    private func image(in buffer: V4L2FilledBuffer) throws(DropFrame) -> EncodedImage {
        let bytes = UnsafeRawBufferPointer(start: buffer.mapping.base, count: buffer.byteCount)
        guard let markers = try? JPEGMarkers.parse(bytes), let end = markers.endOffset, markers.size == format.size
        else { throw DropFrame(reason: .corrupt) }
        guard markers.hasHuffmanTables else {
            do { return try markers.completed(bytes, pool: pool) } catch { throw DropFrame(reason: .outOfBuffers) }
        }
        return EncodedImage(
            codec: .jpeg, width: Int(markers.size.width), height: Int(markers.size.height), colorimetry: .jpeg,
            data: SharedBytes(
                base: bytes.baseAddress ?? UnsafeRawPointer(buffer.mapping.base), count: end, owner: buffer))
    }
}
