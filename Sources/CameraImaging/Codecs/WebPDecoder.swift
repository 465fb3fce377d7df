import CWebP
import CameraMedia

/// libwebp's decoder, straight into a picture's planes.
enum WebPDecoder {
    /// Decodes to an RGB layout or to i420 in BT.601 limited range.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - pixelFormat: The layout.
    ///   - pool: Where the picture's memory comes from.
    ///   - keepsAlpha: Whether BGRA comes out premultiplied with the image's alpha; otherwise transparent parts come out
    ///     on black, the picture opaque.
    static func decode(
        _ image: EncodedImage, to pixelFormat: PixelFormat, pool: MemoryPool, keepsAlpha: Bool = false
    ) throws(ImagingError) -> PixelBuffer {
        try image.checkDeclaredSize()
        return try image.data.withUnsafeBytes { (bytes) throws(ImagingError) in
            let features = try features(of: bytes)
            try image.checkActualSize(width: Int(features.width), height: Int(features.height))
            let colorimetry: Colorimetry = pixelFormat.isRGB ? .rgb : .webp
            return try PixelBuffer.make(
                size: image.size, pixelFormat: pixelFormat,
                colorimetry: colorimetry.carryingTransfer(of: image.colorimetry), pool: pool
            ) { (planes) throws(ImagingError) in
                try decode(bytes, to: pixelFormat, planes)
                guard features.has_alpha != 0, pixelFormat == .bgra32 else { return }
                AlphaChannel.premultiply(planes[0])
                if !keepsAlpha { AlphaChannel.makeOpaque(planes[0]) }
            }
        }
    }

    /// The size in the file's header.
    static func size(of bytes: UnsafeRawBufferPointer) throws(ImagingError) -> PixelSize {
        let features = try features(of: bytes)
        return PixelSize(Int(features.width), Int(features.height))
    }

    private static func features(
        of bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        try check(WebPGetFeatures(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &features))
        if features.has_animation != 0 { throw .unsupported("animated WebP") }
        return features
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, to pixelFormat: PixelFormat, _ planes: [PlaneMemory]
    ) throws(ImagingError) {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw .unsupported("this version of libwebp") }
        config.output.is_external_memory = 1
        switch pixelFormat {
        case .i420:
            config.output.colorspace = MODE_YUV
            config.output.u.YUVA = WebPYUVABuffer(
                y: planes[0].base, u: planes[1].base, v: planes[2].base, a: nil, y_stride: planes[0].rowStride,
                u_stride: planes[1].rowStride, v_stride: planes[2].rowStride, a_stride: 0, y_size: planes[0].byteCount,
                u_size: planes[1].byteCount, v_size: planes[2].byteCount, a_size: 0)
        case .bgra32, .rgb24, .bgr24:
            config.output.colorspace =
                switch pixelFormat {
                case .rgb24: MODE_RGB
                case .bgr24: MODE_BGR
                default: MODE_BGRA
                }
            config.output.u.RGBA = WebPRGBABuffer(
                rgba: planes[0].base, stride: planes[0].rowStride, size: planes[0].byteCount)
        case .gray8, .i422, .i444, .nv12, .yuyv, .uyvy:
            throw .unsupported("WebP straight to \(pixelFormat.name)")
        }
        try check(WebPDecode(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &config))
    }

    private static func check(_ status: VP8StatusCode) throws(ImagingError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .truncated(format: "WebP")
        case VP8_STATUS_OUT_OF_MEMORY: throw .outOfBuffers
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported("a feature of this WebP image")
        default: throw .corrupt(format: "WebP", reason: "libwebp's status \(status.rawValue)")
        }
    }
}
