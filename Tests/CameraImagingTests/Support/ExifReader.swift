import CameraMedia

/// What an EXIF block tells, read by the letters of TIFF 6.0: tags and texts of both directories.
struct ExifReader {
    private let bytes: [UInt8]
    private(set) var texts: [UInt16: String] = [:]

    /// Reads a block; `nil` if it is none.
    init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count >= 8, number(at: 0, 2) == 0x4949, number(at: 2, 2) == 42, let first = number(at: 4, 4),
            read(directory: first)
        else { return nil }
    }

    private func number(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset + length <= bytes.count else { return nil }
        return bytes[offset..<(offset + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func read(directory offset: Int) -> Bool {
        guard let count = number(at: offset, 2), number(at: offset + 2 + 12 * count, 4) == 0 else { return false }
        var last = 0
        for field in 0..<count {
            let place = offset + 2 + 12 * field
            guard let tag = number(at: place, 2), let type = number(at: place + 2, 2), tag > last,
                let length = number(at: place + 4, 4), let value = number(at: place + 8, 4)
            else { return false }
            last = tag
            if tag == 0x8769 {
                guard type == 4, length == 1, read(directory: value) else { return false }
                continue
            }
            let start = length <= 4 ? place + 8 : value
            guard start % 2 == 0, start + length <= bytes.count else { return false }
            var text = bytes[start..<(start + length)]
            if type == 2 {
                guard text.popLast() == 0 else { return false }
            }
            texts[UInt16(tag)] = String(decoding: text, as: UTF8.self)
        }
        return true
    }
}

extension ExifReader {
    /// The block in the APP1 segment of a JPEG file, and how many such segments there are before the picture.
    static func jpeg(_ file: [UInt8]) -> (reader: ExifReader?, count: Int) {
        var (offset, reader, count) = (2, ExifReader?.none, 0)
        while offset + 4 <= file.count, file[offset] == 0xFF, file[offset + 1] != 0xDA {
            let length = Int(file[offset + 2]) << 8 | Int(file[offset + 3])
            let body = file[(offset + 4)..<(offset + 2 + length)]
            if file[offset + 1] == 0xE1, body.starts(with: Array("Exif\0\0".utf8)) {
                reader = ExifReader(body.dropFirst(6))
                count += 1
            }
            offset += 2 + length
        }
        return (reader, count)
    }

    /// The block in the chunk of a WebP file, and the names of all chunks in their order.
    static func webP(_ file: [UInt8]) -> (reader: ExifReader?, chunks: [String]) {
        var (offset, reader, chunks) = (12, ExifReader?.none, [String]())
        while offset + 8 <= file.count {
            let name = String(decoding: file[offset..<(offset + 4)], as: UTF8.self)
            let length = file[(offset + 4)..<(offset + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
            if name == "EXIF" { reader = ExifReader(file[(offset + 8)..<(offset + 8 + length)]) }
            chunks.append(name)
            offset += 8 + length + length % 2
        }
        return (reader, chunks)
    }
}
