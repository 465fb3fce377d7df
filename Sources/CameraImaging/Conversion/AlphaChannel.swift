import CameraMedia

/// The alpha of BGRA pixels; every product and quotient is exact to rounding.
enum AlphaChannel {
    /// Multiplies blue, green and red by alpha.
    static func premultiply(_ plane: PlaneMemory) {
        forEachPixel(of: plane) { pixel in
            let alpha = UInt32(pixel[3])
            if alpha == 255 { return }
            for component in 0..<3 {
                pixel[component] = UInt8(truncatingIfNeeded: (UInt32(pixel[component]) &* alpha &+ 127) / 255)
            }
        }
    }

    /// Divides blue, green and red by alpha; where that is 0 they become 0.
    static func unpremultiply(_ plane: PlaneMemory) {
        forEachPixel(of: plane) { pixel in
            let alpha = UInt32(pixel[3])
            if alpha == 255 { return }
            for component in 0..<3 {
                let straight = alpha == 0 ? 0 : (UInt32(pixel[component]) &* 255 &+ alpha / 2) / alpha
                pixel[component] = UInt8(truncatingIfNeeded: min(straight, 255))
            }
        }
    }

    /// Sets the alpha of every pixel to opaque.
    static func makeOpaque(_ plane: PlaneMemory) {
        forEachPixel(of: plane) { $0[3] = 255 }
    }

    /// Whether the alpha of every pixel is opaque.
    static func isOpaque(_ plane: PlaneMemory) -> Bool {
        (0..<plane.rowCount).allSatisfy { row in
            let pixels = plane.base + row * plane.bytesPerRow
            return stride(from: 3, to: plane.shape.rowByteCount, by: 4).allSatisfy { pixels[$0] == 255 }
        }
    }

    /// A BGRA picture's alpha as a gray picture of its own.
    static func extract(from picture: PixelBuffer) throws(ImagingError) -> PixelBuffer {
        try PixelBuffer.make(
            size: picture.size, pixelFormat: .gray8, colorimetry: .jpeg, pool: MemoryPool(limit: 1)
        ) { (planes) throws(ImagingError) in
            var target = planes[0].base
            forEachPixel(of: picture.planes[0]) { pixel in
                target.pointee = pixel[3]
                target += 1
            }
        }
    }

    /// A premultiplied picture scaled, alpha and all.
    ///
    /// What is scaled is the picture on black, and how transparent it is: scaling rounds down, so opaque parts stay just
    /// that.
    static func scale(_ picture: PixelBuffer, to size: PixelSize) throws(ImagingError) -> PixelBuffer {
        let converter = PixelConverter()
        let transparency = try inverted(extract(from: picture))
        let scaled = try converter.convert(transparency, to: .gray8, size: size, pool: MemoryPool(limit: 1))
        let colors = try converter.convert(picture, to: .bgra32, size: size, pool: MemoryPool(limit: 1))
        return try copy(of: colors) { plane in
            var source = scaled.planes[0].source
            forEachPixel(of: plane) { pixel in
                pixel[3] = source.pointee >= 254 ? 0 : 255 - source.pointee
                // A premultiplied component is at most alpha.
                for component in 0..<3 { pixel[component] = min(pixel[component], pixel[3]) }
                source += 1
            }
        }
    }

    private static func inverted(_ picture: PixelBuffer) throws(ImagingError) -> PixelBuffer {
        try copy(of: picture) { plane in
            for offset in 0..<plane.byteCount { plane.base[offset] = ~plane.base[offset] }
        }
    }

    /// A copy of a picture in memory of its own, changed by `change`.
    static func copy(
        of picture: PixelBuffer, change: (PlaneMemory) -> Void
    ) throws(ImagingError) -> PixelBuffer {
        try PixelBuffer.make(
            size: picture.size, pixelFormat: picture.pixelFormat, colorimetry: picture.colorimetry,
            pool: MemoryPool(limit: 1)
        ) { (planes) throws(ImagingError) in
            picture.copy(to: planes)
            change(planes[0])
        }
    }

    private static func forEachPixel(of plane: PlaneMemory, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        for row in 0..<plane.rowCount {
            let pixels = plane.base + row * plane.bytesPerRow
            for offset in stride(from: 0, to: plane.shape.rowByteCount, by: 4) { body(pixels + offset) }
        }
    }
}
