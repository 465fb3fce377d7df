import CTurboJPEG
import CameraMedia

/// TurboJPEG's compressor, fed with planes or RGB.
///
/// No flags, as a plain caller of the library has it: TurboJPEG then takes its fast DCT below quality 96.
final class JPEGEncoder {
    private var handle: tjhandle?
    private let output = GrowingBuffer()
    private let padding = MemoryPool(limit: 1)

    deinit {
        if let handle { tjDestroy(handle) }
    }

    /// The layout that a picture of another is encoded from: RGB as it is, Y'CbCr with the subsampling it has.
    static func pixelFormat(for source: PixelFormat) -> PixelFormat {
        switch source {
        case .bgra32, .rgb24, .bgr24, .gray8, .i420, .i422, .i444: source
        case .nv12: .i420
        case .yuyv, .uyvy: .i422
        }
    }

    /// Encodes an RGB picture (with 4:2:0), or planes in BT.601 full range.
    func encode(_ picture: PixelBuffer, quality: Int, pool: MemoryPool) throws(ImagingError) -> SharedBytes {
        if handle == nil { handle = tjInitCompress() }
        guard let handle else { throw .outOfBuffers }
        let width = Int32(picture.width)
        let height = Int32(picture.height)
        let subsampling = Int32(picture.pixelFormat.jpegSubsampling.rawValue)
        let bound = tjBufSize(width, height, subsampling)
        guard bound != UInt.max, output.reserve(Int(bound)) else { throw .outOfBuffers }
        var target = output.base?.assumingMemoryBound(to: UInt8.self)
        var byteCount = bound
        let quality = Int32(min(max(quality, 1), 100))
        let result: Int32
        if let pixelOrder = picture.pixelFormat.jpegPixelOrder {
            let plane = picture.planes[0]
            result = tjCompress2(
                handle, plane.source, width, plane.rowStride, height, Int32(pixelOrder.rawValue), &target, &byteCount,
                subsampling, quality, TJFLAG_NOREALLOC)
        } else {
            let (planes, owner) = try paddedPlanes(of: picture)
            var sources = planes.map { Optional($0.source) }
            result = withExtendedLifetime(owner) {
                tjCompressFromYUVPlanes(
                    handle, &sources, width, planes.map(\.rowStride), height, subsampling, &target, &byteCount, quality,
                    TJFLAG_NOREALLOC)
            }
        }
        guard result == 0 else {
            throw .encodingFailed(format: "JPEG", reason: String(cString: tjGetErrorStr2(handle)))
        }
        output.count = Int(byteCount)
        return try output.shared(by: pool)
    }

    /// The planes as TurboJPEG reads them: sides of the luma plane rounded up to whole chroma samples, which takes a
    /// copy of luma for odd sizes, its last column and row repeated.
    private func paddedPlanes(
        of picture: PixelBuffer
    ) throws(ImagingError) -> ([PlaneMemory], owner: MemoryBlock?) {
        let subsampling = picture.pixelFormat.chromaSubsampling
        let width = picture.width.rounded(upTo: subsampling.horizontal)
        let height = picture.height.rounded(upTo: subsampling.vertical)
        var planes = picture.planes
        guard width != picture.width || height != picture.height else { return (planes, nil) }
        guard let block = padding.makeBlock(byteCount: width * height) else { throw .outOfBuffers }
        let target = block.base.assumingMemoryBound(to: UInt8.self)
        for row in 0..<height {
            let source = planes[0].base + min(row, picture.height - 1) * planes[0].bytesPerRow
            (target + row * width).update(from: source, count: picture.width)
            for column in picture.width..<width { target[row * width + column] = source[picture.width - 1] }
        }
        planes[0] = PlaneMemory(
            base: target, bytesPerRow: width, shape: PlaneShape(rowByteCount: width, rowCount: height))
        return (planes, block)
    }
}

extension Int {
    /// The next multiple of `step`.
    func rounded(upTo step: Int) -> Int { (self + step - 1) / step * step }
}

extension PixelFormat {
    /// The subsampling of a JPEG image that is made of this layout.
    fileprivate var jpegSubsampling: TJSAMP {
        switch self {
        case .gray8: TJSAMP_GRAY
        case .i444: TJSAMP_444
        case .i422, .yuyv, .uyvy: TJSAMP_422
        case .i420, .nv12, .bgra32, .rgb24, .bgr24: TJSAMP_420
        }
    }

    /// TurboJPEG's name of an RGB layout.
    var jpegPixelOrder: TJPF? {
        switch self {
        case .bgra32: TJPF_BGRA
        case .rgb24: TJPF_RGB
        case .bgr24: TJPF_BGR
        case .gray8, .i420, .i422, .i444, .nv12, .yuyv, .uyvy: nil
        }
    }
}
