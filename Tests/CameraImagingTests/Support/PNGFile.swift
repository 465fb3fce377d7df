/// PNG files written by hand, without compression.
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Pixels of red, green, blue and straight alpha, 8 bits each.
    static func rgba(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        var header = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
        header += [8, 6, 0, 0, 0]
        var rows: [UInt8] = []
        for row in 0..<height {
            rows.append(0)
            rows += pixels[(row * width * 4)..<((row + 1) * width * 4)]
        }
        var file = signature + chunk("IHDR", header)
        file += chunk("IDAT", stored(rows))
        return file + chunk("IEND", [])
    }

    /// A zlib stream of blocks that are not compressed.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            stream.append(block.endIndex == bytes.count ? 1 : 0)
            stream += littleEndian(UInt16(block.count))
            stream += littleEndian(~UInt16(block.count))
            stream += block
        }
        return stream + adler(bytes)
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + body
        return bigEndian(UInt32(body.count)) + content + bigEndian(crc(content))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }

    private static func littleEndian(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
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
}
