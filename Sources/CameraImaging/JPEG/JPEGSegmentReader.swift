import Glibc

/// Goes from marker to marker.
struct JPEGSegmentReader {
    /// A marker with its parameters.
    struct Segment {
        /// The marker's second byte; the first is 0xFF.
        let marker: UInt8
        /// Where the marker begins.
        let offset: Int
        /// The parameters, without the length; empty for a marker that has none.
        let body: Slice

        struct Slice {
            fileprivate let bytes: UnsafeRawBufferPointer

            var count: Int { bytes.count }

            /// - Precondition: `index` is below ``count``.
            subscript(index: Int) -> UInt8 { bytes[index] }

            func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
        }
    }

    private let bytes: UnsafeRawBufferPointer
    /// The present position, from the image's start.
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Passes the start-of-image marker.
    ///
    /// - Returns: Whether there is one.
    mutating func skipStartOfImage() -> Bool {
        guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return false }
        offset = 2
        return true
    }

    /// The segment at the present position, which moves behind it.
    mutating func nextSegment() throws(JPEGMarkerError) -> Segment {
        guard offset < bytes.count else { throw .truncatedHeader(offset: bytes.count) }
        guard bytes[offset] == 0xFF else { throw .missingMarker(offset: offset) }
        // Any number of fill bytes may precede a marker.
        var position = offset + 1
        while position < bytes.count, bytes[position] == 0xFF { position += 1 }
        guard position < bytes.count else { throw .truncatedHeader(offset: bytes.count) }
        let marker = bytes[position]
        guard marker != 0 else { throw .missingMarker(offset: offset) }
        let start = position - 1
        position += 1
        if Self.standsAlone(marker) {
            offset = position
            return Segment(marker: marker, offset: start, body: .init(bytes: .init(rebasing: bytes[..<0])))
        }
        guard bytes.count - position >= 2 else { throw .truncatedHeader(offset: bytes.count) }
        let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
        guard length >= 2 else { throw .badSegment(marker: marker, offset: start) }
        guard bytes.count - position >= length else { throw .truncatedHeader(offset: bytes.count) }
        offset = position + length
        let body = UnsafeRawBufferPointer(rebasing: bytes[(position + 2)..<offset])
        return Segment(marker: marker, offset: start, body: .init(bytes: body))
    }

    /// The position after the end-of-image marker, sought from within a scan on; `nil` if there is none.
    mutating func findEnd() -> Int? {
        while let marker = findMarker() {
            switch marker {
            case 0xD9: return offset
            case 0xD0...0xD7, 0x01: continue
            case 0xD8: return nil  // another image begins: the end of this one is missing
            default:
                // The tables and the header of a further scan.
                offset -= 2
                guard (try? nextSegment()) != nil else { return nil }
            }
        }
        return nil
    }

    /// Passes coded data up to and including the next marker.
    private mutating func findMarker() -> UInt8? {
        while offset < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + offset, 0xFF, bytes.count - offset)
        {
            var position = UnsafeRawPointer(found) - base + 1
            while position < bytes.count, bytes[position] == 0xFF { position += 1 }
            guard position < bytes.count else { return nil }
            offset = position + 1
            if bytes[position] != 0 { return bytes[position] }
        }
        return nil
    }

    private static func standsAlone(_ marker: UInt8) -> Bool {
        marker == 0x01 || 0xD0...0xD9 ~= marker
    }
}
