import CLibYUV
import CSPNG
package import CameraMedia
import Glibc

/// PNG files, through libspng.
package enum PNG {
    /// zlib's level: on natural pictures 6 takes four times as long as 2, for a sixth fewer bytes.
    private static let compressionLevel: Int32 = 2
    /// Sub and Up alone take a third less time than the choice of all five, and no more bytes.
    private static let filters = Int32(SPNG_FILTER_CHOICE_SUB.rawValue | SPNG_FILTER_CHOICE_UP.rawValue)

    /// A picture as a PNG file: gray8 as gray, anything else as RGB, 8 bits, full range, opaque.
    ///
    /// - Throws: If memory is out or the library refuses.
    package static func encode(_ buffer: PixelBuffer) throws(ImagingError) -> [UInt8] {
        let pixelFormat: PixelFormat = buffer.pixelFormat == .gray8 ? .gray8 : .rgb24
        let picture = try PixelConverter().convert(
            buffer, to: pixelFormat, colorimetry: pixelFormat == .gray8 ? .jpeg : .rgb, pool: MemoryPool(limit: 1))
        return try encode(
            picture.planes[0], size: picture.size,
            as: pixelFormat == .gray8 ? SPNG_COLOR_TYPE_GRAYSCALE : SPNG_COLOR_TYPE_TRUECOLOR)
    }

    /// A premultiplied BGRA picture as a PNG file with straight alpha, 8 bits.
    ///
    /// - Throws: If memory is out or the library refuses.
    static func encode(premultiplied buffer: PixelBuffer) throws(ImagingError) -> [UInt8] {
        let picture = try AlphaChannel.copy(of: buffer) { plane in
            AlphaChannel.unpremultiply(plane)
            swapRedAndBlue(plane)
        }
        return try encode(picture.planes[0], size: picture.size, as: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA)
    }

    private static func encode(
        _ plane: PlaneMemory, size: PixelSize, as colorType: spng_color_type
    ) throws(ImagingError) -> [UInt8] {
        let context = try Context(flags: Int32(SPNG_CTX_ENCODER.rawValue))
        var header = spng_ihdr()
        header.width = size.width
        header.height = size.height
        header.bit_depth = 8
        header.color_type = UInt8(colorType.rawValue)
        try context.check(spng_set_option(context.pointer, SPNG_ENCODE_TO_BUFFER, 1))
        try context.check(spng_set_option(context.pointer, SPNG_IMG_COMPRESSION_LEVEL, compressionLevel))
        try context.check(spng_set_option(context.pointer, SPNG_FILTER_CHOICE, filters))
        try context.check(spng_set_ihdr(context.pointer, &header))
        let flags = Int32(SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue)
        try context.check(spng_encode_image(context.pointer, nil, 0, Int32(SPNG_FMT_PNG.rawValue), flags))
        for row in 0..<plane.rowCount {
            let result = spng_encode_row(
                context.pointer, plane.base + row * plane.bytesPerRow, plane.shape.rowByteCount)
            guard result == 0 || result == SPNG_EOI.rawValue else { throw context.error(result) }
        }
        var byteCount = 0
        var result: Int32 = 0
        let file = spng_get_png_buffer(context.pointer, &byteCount, &result)
        defer { free(file) }
        guard result == 0, let file else { throw context.error(result) }
        return Array(UnsafeRawBufferPointer(start: file, count: byteCount))
    }

    /// A PNG file as a picture: gray8 for gray of up to 8 bits, otherwise BGRA; 16 bits are cut to 8.
    ///
    /// Pixels with alpha come out premultiplied.
    ///
    /// - Throws: If the file is damaged or has more than ``Limits/pixelCount`` pixels.
    package static func decode(_ bytes: [UInt8]) throws(ImagingError) -> PixelBuffer {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(ImagingError) in try decode(bytes, pool: MemoryPool(limit: 1), keepsAlpha: true) }
        }.get()
    }

    /// A PNG file as an opaque picture, transparent parts on black: gray8 for gray of up to 8 bits, otherwise BGRA.
    ///
    /// - Throws: If the file is damaged or has more than ``Limits/pixelCount`` pixels, or the pool has no block left.
    package static func decode(_ bytes: SharedBytes, pool: MemoryPool) throws(ImagingError) -> PixelBuffer {
        try bytes.withUnsafeBytes { (bytes) throws(ImagingError) in
            try decode(bytes, pool: pool, keepsAlpha: false)
        }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, pool: MemoryPool, keepsAlpha: Bool
    ) throws(ImagingError) -> PixelBuffer {
        let context = try Context(flags: 0)
        try context.check(spng_set_png_buffer(context.pointer, bytes.baseAddress, bytes.count))
        // Chunks such as colour profiles are not needed, so they get little room.
        try context.check(spng_set_chunk_limits(context.pointer, 1 << 20, 1 << 22))
        var header = spng_ihdr()
        try context.check(spng_get_ihdr(context.pointer, &header))
        let size = PixelSize(width: header.width, height: header.height)
        guard size.pixelCount <= Limits.pixelCount else { throw .sizeOutOfRange(size) }
        var transparency = spng_trns()
        let isTransparent =
            header.color_type & 4 != 0 || spng_get_trns(context.pointer, &transparency) == 0
        let isGray =
            header.color_type == SPNG_COLOR_TYPE_GRAYSCALE.rawValue && header.bit_depth <= 8 && !isTransparent
        return try PixelBuffer.make(
            size: size, pixelFormat: isGray ? .gray8 : .bgra32, colorimetry: isGray ? .jpeg : .rgb,
            pool: pool
        ) { (planes) throws(ImagingError) in
            let plane = planes[0]
            let format = isGray ? SPNG_FMT_G8 : SPNG_FMT_RGBA8
            try context.check(
                spng_decode_image(
                    context.pointer, plane.base, plane.shape.byteCount, Int32(format.rawValue),
                    Int32(SPNG_DECODE_TRNS.rawValue)))
            if isGray { return }
            swapRedAndBlue(plane)
            if isTransparent { AlphaChannel.premultiply(plane) }
            if isTransparent, !keepsAlpha { AlphaChannel.makeOpaque(plane) }
        }
    }

    /// Between RGBA and BGRA, in place.
    private static func swapRedAndBlue(_ plane: PlaneMemory) {
        _ = ABGRToARGB(
            plane.source, plane.rowStride, plane.base, plane.rowStride, plane.rowLength / 4, plane.rows)
    }

    /// Owns libspng's context.
    private final class Context {
        let pointer: OpaquePointer

        init(flags: Int32) throws(ImagingError) {
            guard let pointer = spng_ctx_new(flags) else { throw .outOfBuffers }
            self.pointer = pointer
        }

        deinit {
            spng_ctx_free(pointer)
        }

        func check(_ result: Int32) throws(ImagingError) {
            if result != 0 { throw error(result) }
        }

        func error(_ result: Int32) -> ImagingError {
            switch result {
            case Int32(SPNG_EMEM.rawValue): .outOfBuffers
            case SPNG_IO_EOF.rawValue: .truncated(format: "PNG")
            default: .corrupt(format: "PNG", reason: String(cString: spng_strerror(result)))
            }
        }
    }
}
