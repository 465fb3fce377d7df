import CLibYUV
import CameraMedia

/// The same components in another layout: the single hops of ``PixelFormat/path(to:)``.
enum LayoutConversion {
    /// Converts between two Y'CbCr layouts, or between two RGB layouts.
    static func convert(
        _ picture: PixelBuffer, to pixelFormat: PixelFormat, into target: [PlaneMemory]
    ) throws(ImagingError) {
        let width = Int32(picture.width)
        let height = Int32(picture.height)
        let source = picture.planes
        switch (picture.pixelFormat, pixelFormat) {
        case (.nv12, .gray8): copy(source[0], into: target[0])
        case (.nv12, .i420):
            copy(source[0], into: target[0])
            SplitUVPlane(
                source[1].source, source[1].rowStride, target[1].base, target[1].rowStride, target[2].base,
                target[2].rowStride, target[1].rowLength, target[1].rows)
        case (.i420, .nv12):
            copy(source[0], into: target[0])
            MergeUVPlane(
                source[1].source, source[1].rowStride, source[2].source, source[2].rowStride, target[1].base,
                target[1].rowStride, source[1].rowLength, source[1].rows)
        case (.yuyv, .gray8):
            try check(
                YUY2ToY(source[0].source, source[0].rowStride, target[0].base, target[0].rowStride, width, height))
        case (.uyvy, .gray8):
            try check(
                UYVYToY(source[0].source, source[0].rowStride, target[0].base, target[0].rowStride, width, height))
        case (.yuyv, .i420): try unpack(source[0], into: target, width, height, YUY2ToI420)
        case (.yuyv, .i422): try unpack(source[0], into: target, width, height, YUY2ToI422)
        case (.uyvy, .i420): try unpack(source[0], into: target, width, height, UYVYToI420)
        case (.uyvy, .i422): try unpack(source[0], into: target, width, height, UYVYToI422)
        case (.i422, .yuyv): try pack(source, into: target[0], width, height, I422ToYUY2)
        case (.i422, .uyvy): try pack(source, into: target[0], width, height, I422ToUYVY)
        case (.bgra32, .rgb24): try repack(source[0], into: target[0], width, height, ARGBToRAW)
        case (.bgra32, .bgr24): try repack(source[0], into: target[0], width, height, ARGBToRGB24)
        case (.rgb24, .bgra32): try repack(source[0], into: target[0], width, height, RAWToARGB)
        case (.bgr24, .bgra32): try repack(source[0], into: target[0], width, height, RGB24ToARGB)
        case (.rgb24, .bgr24), (.bgr24, .rgb24):
            try repack(source[0], into: target[0], width, height, RAWToRGB24)
        default: convertPlanes(source, into: target)
        }
    }

    /// Copies rows.
    static func copy(_ source: PlaneMemory, into target: PlaneMemory) {
        CopyPlane(source.source, source.rowStride, target.base, target.rowStride, target.rowLength, target.rows)
    }

    /// Between separate planes: luma as it is, chroma scaled to what the layout has, neutral where there is none.
    private static func convertPlanes(_ source: [PlaneMemory], into target: [PlaneMemory]) {
        copy(source[0], into: target[0])
        for index in target.indices.dropFirst() {
            if source.count == target.count {
                Scaling.scalePlane(source[index], into: target[index], filter: kFilterBox)
            } else {
                SetPlane(target[index].base, target[index].rowStride, target[index].rowLength, target[index].rows, 128)
            }
        }
    }

    private typealias Unpack = (
        UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32,
        UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
    ) -> Int32

    private static func unpack(
        _ source: PlaneMemory, into target: [PlaneMemory], _ width: Int32, _ height: Int32, _ function: Unpack
    ) throws(ImagingError) {
        try check(
            function(
                source.source, source.rowStride, target[0].base, target[0].rowStride, target[1].base,
                target[1].rowStride,
                target[2].base, target[2].rowStride, width, height))
    }

    private typealias Pack = (
        UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int32,
        UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
    ) -> Int32

    private static func pack(
        _ source: [PlaneMemory], into target: PlaneMemory, _ width: Int32, _ height: Int32, _ function: Pack
    ) throws(ImagingError) {
        try check(
            function(
                source[0].source, source[0].rowStride, source[1].source, source[1].rowStride, source[2].source,
                source[2].rowStride, target.base, target.rowStride, width, height))
    }

    private typealias Repack = (
        UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
    ) -> Int32

    private static func repack(
        _ source: PlaneMemory, into target: PlaneMemory, _ width: Int32, _ height: Int32, _ function: Repack
    ) throws(ImagingError) {
        try check(function(source.source, source.rowStride, target.base, target.rowStride, width, height))
    }
}
