import CTurboJPEG
import CWebP
import CameraMedia

/// The codecs' libraries called as their manuals show, with nothing of ours in between.
enum BareLibrary {
    /// A BGRA picture after libwebp's own import, encoder (method 0) and decoder.
    static func throughWebP(_ picture: PixelBuffer, quality: Float) -> PixelBuffer {
        let file = webP(quality: quality, width: picture.width, height: picture.height) { job in
            WebPPictureImportBGRX(&job, picture.planes[0].base, Int32(picture.bytesPerRow))
        }
        return decoded(width: picture.width, height: picture.height) { plane in
            WebPDecodeBGRAInto(file, file.count, plane.base, plane.byteCount, Int32(plane.bytesPerRow))
        }
    }

    /// The WebP file of i420 planes.
    static func webP(_ planes: PixelBuffer, quality: Float) -> [UInt8] {
        webP(quality: quality, width: planes.width, height: planes.height) { job in
            job.y = planes.planes[0].base
            job.u = planes.planes[1].base
            job.v = planes.planes[2].base
            job.y_stride = Int32(planes.planes[0].bytesPerRow)
            job.uv_stride = Int32(planes.planes[1].bytesPerRow)
        }
    }

    private static func webP<Ignored>(
        quality: Float, width: Int, height: Int, input: (inout WebPPicture) -> Ignored
    ) -> [UInt8] {
        var config = WebPConfig()
        var job = WebPPicture()
        var writer = WebPMemoryWriter()
        WebPConfigInit(&config)
        WebPPictureInit(&job)
        WebPMemoryWriterInit(&writer)
        defer {
            WebPPictureFree(&job)
            WebPMemoryWriterClear(&writer)
        }
        (config.quality, config.method) = (quality, 0)
        (job.width, job.height) = (Int32(width), Int32(height))
        _ = input(&job)
        job.writer = WebPMemoryWrite
        withUnsafeMutablePointer(to: &writer) { writer in
            job.custom_ptr = UnsafeMutableRawPointer(writer)
            WebPEncode(&config, &job)
        }
        return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    /// A BGRA picture after TurboJPEG's own compressor, with the subsampling of `pixelFormat`, and decompressor.
    static func throughJPEG(
        _ picture: PixelBuffer, quality: Int32, isGray: Bool, _ pixelFormat: PixelFormat
    ) throws -> PixelBuffer {
        let subsampling =
            switch pixelFormat {
            case .gray8: TJSAMP_GRAY
            case .i444: TJSAMP_444
            case .i422, .yuyv, .uyvy: TJSAMP_422
            default: TJSAMP_420
            }
        let file = jpeg { handle, data, size in
            tjCompress2(
                handle, picture.planes[0].base, Int32(picture.width), Int32(picture.bytesPerRow),
                Int32(picture.height), Int32(TJPF_BGRA.rawValue), data, size, Int32(subsampling.rawValue), quality, 0)
        }
        let handle = tjInitDecompress()
        defer { tjDestroy(handle) }
        return decoded(width: picture.width, height: picture.height) { plane in
            tjDecompress2(
                handle, file, UInt(file.count), plane.base, Int32(picture.width), Int32(plane.bytesPerRow),
                Int32(picture.height), Int32(TJPF_BGRA.rawValue), 0)
        }
    }

    /// The JPEG file of i420 planes of even sides.
    static func jpeg(_ planes: PixelBuffer, quality: Int32) -> [UInt8] {
        jpeg { handle, data, size in
            var sources = planes.planes.map { Optional(UnsafePointer($0.base)) }
            return tjCompressFromYUVPlanes(
                handle, &sources, Int32(planes.width), planes.planes.map { Int32($0.bytesPerRow) },
                Int32(planes.height), Int32(TJSAMP_420.rawValue), data, size, quality, 0)
        }
    }

    /// The JPEG file of a BGRA picture, with TurboJPEG's subsampling and flags of one's choice.
    static func jpeg(_ picture: PixelBuffer, subsampling: TJSAMP, flags: Int32) -> [UInt8] {
        jpeg { handle, data, size in
            tjCompress2(
                handle, picture.planes[0].base, Int32(picture.width), Int32(picture.bytesPerRow),
                Int32(picture.height), Int32(TJPF_BGRA.rawValue), data, size, Int32(subsampling.rawValue), 95, flags)
        }
    }

    private static func jpeg(
        compress: (
            tjhandle?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>
        ) -> Int32
    ) -> [UInt8] {
        let handle = tjInitCompress()
        var data: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        _ = compress(handle, &data, &size)
        defer {
            tjFree(data)
            tjDestroy(handle)
        }
        return Array(UnsafeBufferPointer(start: data, count: Int(size)))
    }

    private static func decoded<Ignored>(
        width: Int, height: Int, decode: (PlaneMemory) -> Ignored
    ) -> PixelBuffer {
        let picture = try? PixelBuffer(width: width, height: height, pixelFormat: .bgra32, colorimetry: .rgb) {
            _ = decode($0[0])
        }
        guard let picture else { preconditionFailure("no memory for a test picture") }
        return picture
    }
}
