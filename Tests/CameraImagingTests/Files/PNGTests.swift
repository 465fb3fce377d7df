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

    @Test("Transparent parts come out on black, opaque")
    func alpha() throws {
        // 1x1, RGBA, (200, 100, 50) at half opacity.
        let file: [UInt8] =
            [
                0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
                0, 1,
                8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89,
            ]
            + Self.chunk(
                "IDAT", [0x78, 0x01, 1, 5, 0, 0xFA, 0xFF, 0, 200, 100, 50, 128] + Self.adler([0, 200, 100, 50, 128]))
            + Self.chunk("IEND", [])
        let decoded = try PNG.decode(file)
        #expect(decoded.largestDifference(from: [25, 50, 100, 255]) <= 1)
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + body
        return bigEndian(UInt32(body.count)) + content + bigEndian(crc(content))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }

    private static func adler(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return bigEndian(high << 16 | low)
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
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header) + Self.chunk("IDAT", [])
        #expect(throws: ImagingError.sizeOutOfRange(PixelSize(width: 65_535, height: 65_535))) { try PNG.decode(file) }
    }
}
