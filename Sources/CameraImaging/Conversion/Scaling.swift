import CLibYUV
import CameraMedia

/// Scaling, plane by plane: an area average on the way down, bilinear on the way up. BGRA comes out opaque.
enum Scaling {
    /// The longest side that libyuv's 16.16 fixed point can step through.
    static let maximumSide = 32_767

    /// Scales a picture of a scalable layout.
    static func scale(_ picture: PixelBuffer, to size: PixelSize, into planes: [PlaneMemory]) throws(ImagingError) {
        let isDown = Int(size.width) <= picture.width && Int(size.height) <= picture.height
        let filter = isDown ? kFilterBox : kFilterBilinear
        for (source, target) in zip(picture.planes, planes) {
            guard picture.pixelFormat == .bgra32 else {
                scalePlane(source, into: target, filter: filter)
                continue
            }
            try check(
                ARGBScale(
                    source.source, source.rowStride, source.rowLength / 4, source.rows,
                    target.base, target.rowStride, target.rowLength / 4, target.rows, filter))
            AlphaChannel.makeOpaque(target)  // libyuv's rounding down leaves 253 of 255
        }
    }

    /// Scales one plane of single bytes.
    static func scalePlane(_ source: PlaneMemory, into target: PlaneMemory, filter: FilterMode) {
        ScalePlane(
            source.source, source.rowStride, source.rowLength, source.rows,
            target.base, target.rowStride, target.rowLength, target.rows, filter)
    }
}

/// Turns libyuv's result into an error; it fails for sizes it was not made for, and when memory is out.
func check(_ result: Int32) throws(ImagingError) {
    guard result == 0 else { throw .unsupported("this conversion of this size by libyuv") }
}
