import CLibYUV
import CameraMedia

/// Between Y'CbCr and BGRA, by matrix and range. libyuv's ARGB is BGRA in memory.
enum RGBConversion {
    /// Converts a planar picture to BGRA; chroma samples are repeated, not interpolated.
    static func makeBGRA(of picture: PixelBuffer, into target: PlaneMemory) throws(ImagingError) {
        let width = Int32(picture.width)
        let height = Int32(picture.height)
        let planes = picture.planes
        let constants = constants(of: picture.colorimetry)
        func convert(_ function: ThreePlanes) throws(ImagingError) {
            try check(
                function(
                    planes[0].source, planes[0].rowStride, planes[1].source, planes[1].rowStride, planes[2].source,
                    planes[2].rowStride, target.base, target.rowStride, constants, width, height))
        }
        switch picture.pixelFormat {
        case .i420: try convert(I420ToARGBMatrix)
        case .i422: try convert(I422ToARGBMatrix)
        case .i444: try convert(I444ToARGBMatrix)
        case .nv12:
            try check(
                NV12ToARGBMatrix(
                    planes[0].source, planes[0].rowStride, planes[1].source, planes[1].rowStride, target.base,
                    target.rowStride, constants, width, height))
        case .gray8:
            try check(
                I400ToARGBMatrix(
                    planes[0].source, planes[0].rowStride, target.base, target.rowStride, constants, width, height))
        case .bgra32, .rgb24, .bgr24, .yuyv, .uyvy:
            throw .unsupported("conversion of \(picture.pixelFormat.name) to RGB in one pass")
        }
    }

    private typealias ThreePlanes = (
        UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int32,
        UnsafeMutablePointer<UInt8>?, Int32, UnsafePointer<YuvConstants>?, Int32, Int32
    ) -> Int32

    private static func constants(of colorimetry: Colorimetry) -> UnsafePointer<YuvConstants>? {
        let isFull: Int32 = colorimetry.range == .full ? 1 : 0
        return switch colorimetry.matrix {
        case .bt601, .identity: libyuv_constants_bt601(isFull)  // identity comes with gray only, where it is no matter
        case .bt709: libyuv_constants_bt709(isFull)
        case .bt2020: libyuv_constants_bt2020(isFull)
        }
    }

    /// The layout on the way to `target` that ``makeYCbCr(of:as:_:into:)`` makes in one pass.
    static func directFormat(towards target: PixelFormat, _ colorimetry: Colorimetry) -> PixelFormat {
        let wanted: PixelFormat =
            switch target {
            case .nv12: .i420
            case .yuyv, .uyvy: .i422
            default: target
            }
        return function(wanted, colorimetry) != nil || wanted == .gray8 ? wanted : .i444
    }

    /// Converts BGRA to a layout that ``directFormat(towards:_:)`` named; alpha is ignored.
    static func makeYCbCr(
        of picture: PixelBuffer, as pixelFormat: PixelFormat, _ colorimetry: Colorimetry, into target: [PlaneMemory]
    ) throws(ImagingError) {
        guard picture.pixelFormat == .bgra32, target.count == 1 || target.count == 3 else {
            throw .unsupported("conversion of \(picture.pixelFormat.name) to \(pixelFormat.name) in one pass")
        }
        guard let function = function(pixelFormat, colorimetry) else {
            MatrixConversion(colorimetry).convert(picture, into: target)
            return
        }
        let source = picture.planes[0]
        let last = target.count - 1
        try check(
            function(
                source.source, source.rowStride, target[0].base, target[0].rowStride, target[min(1, last)].base,
                target[min(1, last)].rowStride, target[last].base, target[last].rowStride, Int32(picture.width),
                Int32(picture.height)))
    }

    private typealias FromARGB = (
        UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32,
        UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
    ) -> Int32

    /// libyuv's own conversion; it has BT.601 only. `nil` if ``MatrixConversion`` has to do it.
    private static func function(_ pixelFormat: PixelFormat, _ colorimetry: Colorimetry) -> FromARGB? {
        guard colorimetry.matrix == .bt601 else { return nil }
        return switch (pixelFormat, colorimetry.range) {
        case (.i420, .limited): ARGBToI420
        case (.i422, .limited): ARGBToI422
        case (.i444, .limited): ARGBToI444
        case (.i420, .full): ARGBToJ420
        case (.i422, .full): ARGBToJ422
        default: nil
        }
    }
}
