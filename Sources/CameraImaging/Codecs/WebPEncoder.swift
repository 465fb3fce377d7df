import CWebP
import CameraMedia

/// libwebp's lossy encoder, fed with planes.
final class WebPEncoder {
    private let output = GrowingBuffer()

    /// Encodes an i420 picture in BT.601 limited range by method 0, the only one fast enough for video.
    ///
    /// - Parameters:
    ///   - picture: The colours; straight if there is alpha.
    ///   - alpha: A gray picture of the same size, which is kept without loss; `nil` for an opaque image.
    ///   - quality: 0 to 100.
    ///   - pool: Where the image's memory comes from.
    func encode(
        _ picture: PixelBuffer, alpha: PixelBuffer? = nil, quality: Int, pool: MemoryPool
    ) throws(ImagingError) -> SharedBytes {
        var config = WebPConfig()
        var job = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&job) != 0 else {
            throw .unsupported("this version of libwebp")
        }
        config.quality = Float(min(max(quality, 0), 100))
        config.method = 0
        config.thread_level = 0
        // libwebp then reads the planes only: `use_argb` is off, and colours are left alone where nothing is seen.
        config.exact = 1
        let planes = picture.planes
        job.use_argb = 0
        job.colorspace = WEBP_YUV420
        job.width = Int32(picture.width)
        job.height = Int32(picture.height)
        job.y = planes[0].base
        job.u = planes[1].base
        job.v = planes[2].base
        job.y_stride = planes[0].rowStride
        job.uv_stride = planes[1].rowStride
        if let alpha = alpha?.planes[0] {
            job.colorspace = WEBP_YUV420A
            job.a = alpha.base
            job.a_stride = alpha.rowStride
        }
        guard planes[1].bytesPerRow == planes[2].bytesPerRow else {
            throw .unsupported("chroma planes of different strides")
        }
        output.count = 0
        job.custom_ptr = Unmanaged.passUnretained(output).toOpaque()
        job.writer = { bytes, count, picture in
            guard let owner = picture?.pointee.custom_ptr, let bytes else { return 0 }
            return Unmanaged<GrowingBuffer>.fromOpaque(owner).takeUnretainedValue().append(bytes, count: count) ? 1 : 0
        }
        let succeeded = withExtendedLifetime((picture, alpha, output)) { WebPEncode(&config, &job) }
        let error = job.error_code
        WebPPictureFree(&job)  // frees what the encoder added, never planes it did not allocate
        guard succeeded != 0 else {
            if error == VP8_ENC_ERROR_OUT_OF_MEMORY || error == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY {
                throw .outOfBuffers
            }
            throw .encodingFailed(format: "WebP", reason: "error \(error.rawValue) of libwebp")
        }
        return try output.shared(by: pool)
    }
}
