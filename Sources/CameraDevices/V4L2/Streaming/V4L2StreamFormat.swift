import CLinux
import CameraCapture
import CameraMedia
import CameraProtocol

/// What a driver was set to, as it said itself.
struct V4L2StreamFormat: Sendable, Hashable {
    var size: PixelSize
    var encoding: V4L2Encoding
    var colorimetry: Colorimetry
    var frameRate: FrameRate?
    /// Bytes from one row of the first plane to the next.
    var bytesPerRow: Int

    /// Reads what the driver set.
    ///
    /// - Throws: ``CaptureInputError`` if it is not handled.
    init(_ format: v4l2_pix_format, frameRate: FrameRate?, subject: String) throws(CaptureInputError) {
        let fourCC = FourCC(rawValue: format.pixelformat)
        guard let encoding = V4L2Encoding(fourCC) else {
            throw CaptureInputError(
                .unsupportedFormat, subject: subject, reason: "its pixel format \(fourCC) is not supported",
                remedy: "see --list-formats \(subject)")
        }
        size = PixelSize(width: format.width, height: format.height)
        guard size.pixelCount > 0, size.pixelCount <= Limits.pixelCount else {
            throw CaptureInputError(.unsupportedFormat, subject: subject, reason: "it has a picture size of \(size)")
        }
        self.encoding = encoding
        self.frameRate = frameRate
        colorimetry = Colorimetry(format, encoding: encoding)
        let packed = encoding.pixelFormat?.plane(0, width: Int(size.width), height: Int(size.height)).rowByteCount ?? 0
        bytesPerRow = max(packed, Int(format.bytesperline))
    }

    /// What outputs are told.
    var captureFormat: CaptureFormat {
        CaptureFormat(
            size: size, frameRate: frameRate, codec: encoding.codec, pixelFormat: encoding.pixelFormat,
            colorimetry: colorimetry)
    }

    /// The planes of a raw picture that begins at `base`, and where they end.
    func planes(
        _ pixelFormat: PixelFormat, at base: UnsafeMutablePointer<UInt8>
    ) -> (planes: [PlaneMemory], byteCount: Int) {
        var (planes, offset, end) = ([PlaneMemory](), 0, 0)
        for index in 0..<pixelFormat.planeCount {
            let shape = pixelFormat.plane(index, width: Int(size.width), height: Int(size.height))
            // The driver's row length is that of the first plane; the others have theirs in proportion.
            let isHalved = index > 0 && pixelFormat != .nv12 && pixelFormat != .i444
            let stride = max(shape.rowByteCount, isHalved ? bytesPerRow / 2 : bytesPerRow)
            let plane = PlaneMemory(base: base + offset, bytesPerRow: stride, shape: shape)
            end = offset + plane.byteCount
            offset += stride * shape.rowCount
            planes.append(plane)
        }
        return (planes, end)
    }
}
