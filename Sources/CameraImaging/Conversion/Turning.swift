import CLibYUV
package import CameraMedia
import CameraProtocol

/// How a picture is turned: left and right exchanged first, then turned clockwise.
package struct PictureTurn: Sendable, Hashable {
    /// By how many degrees: 0, 90, 180 or 270.
    package var clockwise: Int
    /// Whether left and right are exchanged.
    package var isMirrored: Bool

    /// Creates a turn.
    package init(clockwise: Int = 0, isMirrored: Bool = false) {
        self.clockwise = clockwise
        self.isMirrored = isMirrored
    }

    /// Whether the picture stays as it is.
    package var isIdentity: Bool { clockwise == 0 && !isMirrored }

    fileprivate var mode: RotationMode {
        switch clockwise {
        case 90: kRotate90
        case 180: kRotate180
        case 270: kRotate270
        default: kRotate0
        }
    }

    fileprivate func size(of size: PixelSize) -> PixelSize {
        clockwise % 180 == 0 ? size : PixelSize(width: size.height, height: size.width)
    }
}

extension PixelConverter {
    /// The picture turned, in another layout.
    ///
    /// - Parameters:
    ///   - buffer: The picture; any layout.
    ///   - turn: How it is turned.
    ///   - pixelFormat: The layout wanted. Those whose rows hold several components side by side are made from others.
    ///   - pool: Where the result's memory comes from.
    /// - Throws: If `pool` has no block left.
    package func turn(
        _ buffer: PixelBuffer, _ turn: PictureTurn, to pixelFormat: PixelFormat, pool: MemoryPool
    ) throws(ImagingError) -> PixelBuffer {
        if turn.isIdentity { return try convert(buffer, to: pixelFormat, pool: pool) }
        let between: PixelFormat =
            switch pixelFormat {
            case .bgra32, .rgb24, .bgr24: .bgra32
            case .gray8: .gray8
            case .i420, .nv12: .i420
            case .i422, .i444, .yuyv, .uyvy: .i444
            }
        let scratch = MemoryPool(limit: 3)
        var picture = try convert(buffer, to: between, pool: scratch)
        let isLast = between == pixelFormat
        if turn.isMirrored {
            let pool = isLast && turn.clockwise == 0 ? pool : scratch
            picture = try Turning.make(picture, size: picture.size, pool: pool) { source, target, width in
                if between == .bgra32 {
                    ARGBMirror(
                        source.base, Int32(source.bytesPerRow), target.base, Int32(target.bytesPerRow), width,
                        Int32(source.rowCount))
                } else {
                    Turning.mirror(source, target, width)
                }
            }
        }
        if turn.clockwise != 0 {
            let size = turn.size(of: picture.size)
            picture = try Turning.make(picture, size: size, pool: isLast ? pool : scratch) { source, target, width in
                between == .bgra32
                    ? ARGBRotate(
                        source.base, Int32(source.bytesPerRow), target.base, Int32(target.bytesPerRow), width,
                        Int32(source.rowCount), turn.mode)
                    : RotatePlane(
                        source.base, Int32(source.bytesPerRow), target.base, Int32(target.bytesPerRow), width,
                        Int32(source.rowCount), turn.mode)
            }
        }
        return isLast ? picture : try convert(picture, to: pixelFormat, pool: pool)
    }
}

private enum Turning {
    /// Does the same to every plane; the closure gets the source's plane, the result's, and the source's width.
    static func make(
        _ picture: PixelBuffer, size: PixelSize, pool: MemoryPool,
        _ body: (PlaneMemory, PlaneMemory, Int32) -> Int32
    ) throws(ImagingError) -> PixelBuffer {
        let bytesPerPixel = picture.pixelFormat == .bgra32 ? 4 : 1
        return try PixelBuffer.make(
            size: size, pixelFormat: picture.pixelFormat, colorimetry: picture.colorimetry, pool: pool
        ) { (planes) throws(ImagingError) in
            for (source, target) in zip(picture.planes, planes) {
                try check(body(source, target, Int32(source.shape.rowByteCount / bytesPerPixel)))
            }
        }
    }

    static func mirror(_ source: PlaneMemory, _ target: PlaneMemory, _ width: Int32) -> Int32 {
        MirrorPlane(
            source.base, Int32(source.bytesPerRow), target.base, Int32(target.bytesPerRow), width,
            Int32(source.rowCount))
        return 0
    }
}
