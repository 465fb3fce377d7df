import CTurboJPEG
import CameraMedia

/// TurboJPEG's decompressor, straight into a picture's planes.
///
/// By the library's defaults: the accurate DCT, chroma interpolated.
final class JPEGDecoder {
    /// A small progressive image with thousands of scans would take minutes; beyond 500 it is refused.
    private static let flags = TJFLAG_LIMITSCANS

    private var handle: tjhandle?

    deinit {
        if let handle { tjDestroy(handle) }
    }

    /// Decodes to an RGB layout.
    func decode(
        _ image: EncodedImage, at scale: JPEGScale = .full, to pixelFormat: PixelFormat, pool: MemoryPool,
        allowsTruncation: Bool
    ) throws(ImagingError) -> PixelBuffer {
        guard let order = pixelFormat.jpegPixelOrder else {
            throw .unsupported("JPEG straight to \(pixelFormat.name)")
        }
        return try image.data.withUnsafeBytes { (bytes) throws(ImagingError) in
            let handle = try openedHandle()
            let header = try header(of: bytes, image, handle, allowsTruncation)
            if header.colorSpace == TJCS_CMYK || header.colorSpace == TJCS_YCCK { throw .unsupported("CMYK JPEG") }
            let size = scale.scaled(image.size)
            return try PixelBuffer.make(
                size: size, pixelFormat: pixelFormat,
                colorimetry: Colorimetry.rgb.carryingTransfer(of: image.colorimetry), pool: pool
            ) { (planes) throws(ImagingError) in
                let result = tjDecompress2(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), planes[0].base,
                    Int32(size.width), planes[0].rowStride, Int32(size.height), Int32(order.rawValue),
                    Self.flags)
                try check(result, handle, allowsTruncation: allowsTruncation)
            }
        }
    }

    /// Decodes to the planes that the image is coded in.
    ///
    /// - Returns: `nil` if the subsampling or the colour space has no layout of ours.
    func decodePlanes(
        _ image: EncodedImage, at scale: JPEGScale = .full, poolFor: (PixelFormat) -> MemoryPool,
        allowsTruncation: Bool
    ) throws(ImagingError) -> PixelBuffer? {
        try image.data.withUnsafeBytes { (bytes) throws(ImagingError) in
            let handle = try openedHandle()
            let header = try header(of: bytes, image, handle, allowsTruncation)
            guard let pixelFormat = header.pixelFormat else { return nil }
            let size = scale.scaled(image.size)
            let (planes, block) = try planes(of: size, pixelFormat, pool: poolFor(pixelFormat))
            var targets = planes.map { Optional($0.base) }
            var strides = planes.map(\.rowStride)
            let result = tjDecompressToYUVPlanes(
                handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &targets,
                Int32(size.width), &strides, Int32(size.height), Self.flags)
            try check(result, handle, allowsTruncation: allowsTruncation)
            return PixelBuffer(
                width: Int(size.width), height: Int(size.height), pixelFormat: pixelFormat,
                colorimetry: Colorimetry.jpeg.carryingTransfer(of: image.colorimetry), planes: planes, owner: block)
        }
    }

    /// Planes with the room that TurboJPEG wants: the sides of luma rounded up to whole chroma samples.
    private func planes(
        of size: PixelSize, _ pixelFormat: PixelFormat, pool: MemoryPool
    ) throws(ImagingError) -> ([PlaneMemory], MemoryBlock) {
        let subsampling = pixelFormat.chromaSubsampling
        let width = Int(size.width).rounded(upTo: subsampling.horizontal)
        let height = Int(size.height).rounded(upTo: subsampling.vertical)
        guard let block = pool.makeBlock(byteCount: pixelFormat.byteCount(width: width, height: height) + 64) else {
            throw .outOfBuffers
        }
        let padded = PlaneMemory.packed(
            pixelFormat, width: width, height: height, at: block.base.assumingMemoryBound(to: UInt8.self))
        let planes = padded.enumerated().map { index, plane in
            PlaneMemory(
                base: plane.base, bytesPerRow: plane.bytesPerRow,
                shape: pixelFormat.plane(index, width: Int(size.width), height: Int(size.height)))
        }
        return (planes, block)
    }

    private func openedHandle() throws(ImagingError) -> tjhandle {
        if handle == nil { handle = tjInitDecompress() }
        guard let handle else { throw .outOfBuffers }
        return handle
    }

    private struct Header {
        var subsampling: TJSAMP
        var colorSpace: TJCS

        /// The layout of the planes.
        var pixelFormat: PixelFormat? {
            switch (colorSpace, subsampling) {
            case (TJCS_GRAY, _): .gray8
            case (TJCS_YCbCr, TJSAMP_420): .i420
            case (TJCS_YCbCr, TJSAMP_422): .i422
            case (TJCS_YCbCr, TJSAMP_444): .i444
            default: nil
            }
        }
    }

    private func header(
        of bytes: UnsafeRawBufferPointer, _ image: EncodedImage, _ handle: tjhandle, _ allowsTruncation: Bool
    ) throws(ImagingError) -> Header {
        try image.checkDeclaredSize()
        var (width, height, subsampling, colorSpace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let result = tjDecompressHeader3(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width, &height,
            &subsampling, &colorSpace)
        try check(result, handle, allowsTruncation: allowsTruncation)
        try image.checkActualSize(width: Int(width), height: Int(height))
        return Header(
            subsampling: TJSAMP(UInt32(clamping: subsampling)), colorSpace: TJCS(UInt32(clamping: colorSpace)))
    }

    private func check(_ result: Int32, _ handle: tjhandle, allowsTruncation: Bool) throws(ImagingError) {
        if result == 0 { return }
        let reason = String(cString: tjGetErrorStr2(handle))
        if tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) {
            // The picture is there, as far as the data goes.
            if allowsTruncation || Self.isHarmless(reason) { return }
            if reason.contains("Premature end") { throw .truncated(format: "JPEG") }
        } else {
            // After an error in a header TurboJPEG would go on in the middle of it with the next image.
            tjDestroy(handle)
            self.handle = nil
        }
        throw .corrupt(format: "JPEG", reason: reason)
    }

    /// Warnings that many cameras cause in every frame, and that take nothing from the picture.
    private static func isHarmless(_ warning: String) -> Bool {
        warning.contains("extraneous bytes before marker 0xd9")
    }
}
