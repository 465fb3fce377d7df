import CameraImaging
import CameraMedia
import Testing

@Suite("Images with alpha")
struct ImageAlphaTests {
    /// A WebP or PNG file whose left half is transparent, a column in between at alpha 128, and the right half opaque;
    /// all of one colour, straight.
    private func file(_ format: ImageFileFormat) throws -> [UInt8] {
        try translucent().encoded(as: format, quality: 100)
    }

    private func translucent() throws -> Image {
        // The only way in is a file; PNG is lossless.
        let pixels = (0..<8).flatMap { _ in
            (0..<17).flatMap { x -> [UInt8] in
                x < 8 ? [0, 0, 0, 0] : x == 8 ? [200, 100, 50, 128] : [200, 100, 50, 255]
            }
        }
        return try Image(data: PNGFile.rgba(pixels, width: 17, height: 8))
    }

    private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
        let pixels = image.pixels
        return (0..<4).map { pixels[y * image.bytesPerRow + 4 * x + $0] }
    }

    @Test("Read, they are premultiplied; written as PNG, straight again")
    func png() throws {
        let image = try translucent()
        #expect(!image.isOpaque && image.bytesPerRow == 68 && image.pixels.count == 68 * 8)
        #expect(pixel(image, 0, 0) == [0, 0, 0, 0])
        #expect(pixel(image, 8, 3) == [25, 50, 100, 128])
        #expect(pixel(image, 16, 7) == [50, 100, 200, 255])
        let bytes = try image.encoded(as: .png)
        #expect(bytes[25] == 6, "colour type RGBA")
        let again = try Image(data: bytes)
        #expect(again.pixelBuffer.rows() == image.pixelBuffer.rows())
    }

    @Test("Every colour at every alpha is within rounding of itself after a way through an image")
    func rounding() throws {
        let pixels = (0..<256).flatMap { alpha in
            (0..<256).flatMap { color in [UInt8(color), UInt8(255 - color), UInt8(color), UInt8(alpha)] }
        }
        let image = try Image(data: PNGFile.rgba(pixels, width: 256, height: 256))
        for alpha in 0..<256 {
            for color in 0..<256 {
                let exact = (Double(color * alpha) / 255).rounded()
                let read = pixel(image, color, alpha)
                #expect(read[0] == UInt8(exact) && read[3] == UInt8(alpha))
            }
        }
        // And premultiplied values survive being written.
        let again = try Image(data: image.encoded(as: .png))
        #expect(again.pixelBuffer.rows() == image.pixelBuffer.rows())
    }

    @Test("WebP carries alpha without loss, and colours as well as it does")
    func webP() throws {
        let image = try translucent()
        let again = try Image(data: image.encoded(as: .webp, quality: 100))
        #expect(!again.isOpaque)
        for x in 0..<17 {
            let (written, read) = (pixel(image, x, 4), pixel(again, x, 4))
            #expect(written[3] == read[3])
            if x > 11 || x < 8 {
                for component in 0..<3 { #expect(abs(Int(written[component]) - Int(read[component])) <= 8) }
            }
        }
    }

    @Test("JPEG shows them on black")
    func jpeg() throws {
        let image = try Image(data: translucent().encoded(as: .jpeg, quality: 95))
        #expect(image.isOpaque && pixel(image, 1, 4).dropLast().allSatisfy { $0 < 12 })
        #expect(abs(Int(pixel(image, 15, 4)[2]) - 200) <= 12)
    }

    @Test(
        "Scaled, opaque parts stay opaque and transparent ones transparent, none brighter than its alpha",
        arguments: [(34, 16), (9, 4), (17, 4), (5, 3)] as [(UInt32, UInt32)])
    func scaled(_ width: UInt32, _ height: UInt32) throws {
        let image = try translucent().resized(to: PixelSize(width: width, height: height))
        #expect(!image.isOpaque && image.size == PixelSize(width: width, height: height))
        for y in 0..<image.height {
            #expect(pixel(image, 0, y) == [0, 0, 0, 0])
            #expect(pixel(image, image.width - 1, y)[3] == 255)
            #expect(abs(Int(pixel(image, image.width - 1, y)[2]) - 200) <= 4)
            for x in 0..<image.width {
                let components = pixel(image, x, y)
                #expect(components.allSatisfy { $0 <= components[3] })
            }
        }
    }

    @Test("An opaque part is an opaque image")
    func cropped() throws {
        let image = try translucent()
        let right = try image.cropped(to: PixelRectangle(x: 9, y: 0, size: PixelSize(width: 8, height: 8)))
        #expect(right.isOpaque && right.bytesPerRow == 32)
        #expect(try right.encoded(as: .png)[25] == 2, "colour type RGB")
        #expect(try !image.cropped(to: PixelRectangle(x: 8, y: 0, size: PixelSize(width: 9, height: 8))).isOpaque)
    }

    @Test("As a camera's frame the image is on black")
    func opaque() throws {
        let image = try translucent().opaque()
        #expect(image.isOpaque && pixel(image, 0, 0) == [0, 0, 0, 255] && pixel(image, 8, 0) == [25, 50, 100, 255])
        // So it is when it is not the reader of files that decodes it.
        let encoded = try EncodedImage(file: SharedBytes(copying: file(.webp)))
        let decoded = try ImageDecoder(pool: MemoryPool(limit: 1)).decode(encoded)
        #expect(decoded.rows().allSatisfy { $0.enumerated().allSatisfy { $0.offset % 4 < 3 || $0.element == 255 } })
        #expect(decoded.rows()[0].prefix(3).allSatisfy { $0 < 12 })
    }
}
