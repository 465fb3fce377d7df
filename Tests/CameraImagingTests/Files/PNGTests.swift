import CameraImaging
import CameraMedia
import Testing

@Suite("PNG")
struct PNGTests {
    @Test("RGB comes back exactly, of any padding", arguments: [PixelFormat.bgra32, .rgb24, .bgr24])
    func rgb(_ pixelFormat: PixelFormat) throws {
        let bgra = try TestPicture.bgra(width: 35, height: 21)
        let source = try TestPicture.padded(
            PixelConverter().convert(bgra, to: pixelFormat, pool: MemoryPool(limit: 1)), by: 3)
        let file = try PNG.encode(source)
        #expect(file[25] == 2, "colour type RGB")
        #expect(try PNG.decode(file).rows() == bgra.rows())
    }

    @Test("Gray stays gray, limited range is widened")
    func gray() throws {
        let full = try PixelBuffer(width: 5, height: 1, pixelFormat: .gray8, colorimetry: .jpeg) { planes in
            for (index, value) in [0, 16, 128, 235, 255].enumerated() { planes[0].base[index] = UInt8(value) }
        }
        let file = try PNG.encode(full)
        #expect(file[25] == 0, "colour type gray")
        let decoded = try PNG.decode(file)
        #expect(
            decoded.pixelFormat == .gray8 && decoded.colorimetry == .jpeg && decoded.rows() == [[0, 16, 128, 235, 255]])
        let limited = try PixelBuffer(width: 3, height: 1, pixelFormat: .gray8, colorimetry: .webp) { planes in
            for (index, value) in [16, 126, 235].enumerated() { planes[0].base[index] = UInt8(value) }
        }
        #expect(try PNG.decode(PNG.encode(limited)).rows() == [[0, 128, 255]])
    }

    @Test("Pixels with alpha come out premultiplied")
    func alpha() throws {
        let decoded = try PNG.decode(PNGFile.rgba([200, 100, 50, 128], width: 1, height: 1))
        #expect(decoded.rows() == [[25, 50, 100, 128]])
    }

    @Test("Cut or changed files are errors or pictures, never a crash")
    func damaged() throws {
        let file = try PNG.encode(TestPicture.bgra(width: 16, height: 12))
        for count in 0..<(file.count - 16) {
            #expect(throws: ImagingError.self, "\(count)") { try PNG.decode(Array(file.prefix(count))) }
        }
        for offset in file.indices {
            var changed = file
            changed[offset] ^= 0x55
            _ = try? PNG.decode(changed)
        }
    }

    @Test("A header that declares too many pixels is refused")
    func hugeHeader() throws {
        let header: [UInt8] = [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 8, 2, 0, 0, 0]
        let file =
            PNGFile.signature + PNGFile.chunk("IHDR", header) + PNGFile.chunk("IDAT", [])
        #expect(throws: ImagingError.sizeOutOfRange(PixelSize(width: 65_535, height: 65_535))) { try PNG.decode(file) }
    }
}
