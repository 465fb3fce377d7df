import CameraMedia
import Glibc

/// EXIF 2.32: a TIFF structure that tells when a picture was taken, for JPEG's APP1 segment and WebP's EXIF chunk.
enum ExifBlock {
    /// The block with DateTimeOriginal, SubSecTimeOriginal (nanoseconds) and OffsetTimeOriginal (+00:00).
    ///
    /// - Parameter utcNanoseconds: The time since 1970.
    static func bytes(takenAt utcNanoseconds: UInt64) -> [UInt8] {
        let (date, fraction) = text(of: utcNanoseconds)
        let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]  // little-endian; the first directory follows
        let pointerLength = 2 + 12 + 4
        let pointer = TIFFDirectory.Field(
            tag: 0x8769, type: .long, count: 1,
            value: TIFFDirectory.bytes(UInt32(header.count + pointerLength)))
        let exif: [TIFFDirectory.Field] = [
            .init(tag: 0x9000, type: .undefined, count: 4, value: Array("0232".utf8)),
            .init(tag: 0x9003, text: date),
            .init(tag: 0x9011, text: "+00:00"),
            .init(tag: 0x9291, text: fraction),
        ]
        return header + TIFFDirectory.bytes([pointer], at: header.count)
            + TIFFDirectory.bytes(exif, at: header.count + pointerLength)
    }

    /// `2026:11:30 18:47:12` and the nanoseconds in nine digits.
    private static func text(of utcNanoseconds: UInt64) -> (date: String, fraction: String) {
        var seconds = time_t(utcNanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = [digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2)]
        let time = [digits(parts.tm_hour, 2), digits(parts.tm_min, 2), digits(parts.tm_sec, 2)]
        return (
            "\(date.joined(separator: ":")) \(time.joined(separator: ":"))",
            digits(Int32(utcNanoseconds % 1_000_000_000), 9)
        )
    }

    private static func digits(_ value: Int32, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

/// An image file directory of TIFF 6.0, little-endian.
private enum TIFFDirectory {
    enum FieldType: UInt16 {
        case ascii = 2
        case long = 4
        case undefined = 7
    }

    struct Field {
        var tag: UInt16
        var type: FieldType
        var count: UInt32
        var value: [UInt8]

        init(tag: UInt16, type: FieldType, count: UInt32, value: [UInt8]) {
            self.tag = tag
            self.type = type
            self.count = count
            self.value = value
        }

        /// A text, which ends with a zero byte.
        init(tag: UInt16, text: String) {
            let value = Array(text.utf8) + [0]
            self.init(tag: tag, type: .ascii, count: UInt32(value.count), value: value)
        }
    }

    /// A directory without a successor, then the values that do not fit their fields' four bytes.
    ///
    /// - Parameters:
    ///   - fields: In the order of their tags.
    ///   - offset: Where the directory begins, from the block's start.
    static func bytes(_ fields: [Field], at offset: Int) -> [UInt8] {
        var directory = bytes(UInt16(fields.count))
        var values: [UInt8] = []
        let valuesOffset = offset + 2 + 12 * fields.count + 4
        for field in fields {
            directory += bytes(field.tag) + bytes(field.type.rawValue) + bytes(field.count)
            if field.value.count <= 4 {
                directory += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                directory += bytes(UInt32(valuesOffset + values.count))
                values += field.value + [UInt8](repeating: 0, count: field.value.count % 2)  // at even offsets
            }
        }
        return directory + bytes(UInt32(0)) + values
    }

    static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
