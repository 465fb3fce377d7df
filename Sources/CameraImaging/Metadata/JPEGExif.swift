import CameraMedia

/// EXIF in JPEG files: an APP1 segment, put in without touching the coded picture.
enum JPEGExif {
    private static let signature = Array("Exif\0\0".utf8)

    /// The file with an EXIF segment, instead of one that it has; behind a JFIF header, which has to come first.
    static func adding(_ block: [UInt8], to file: UnsafeRawBufferPointer) throws(ImagingError) -> [UInt8] {
        var reader = JPEGSegmentReader(file)
        guard reader.skipStartOfImage() else { throw .corrupt(format: "JPEG", reason: "\(JPEGMarkerError.notJPEG)") }
        var header: [UInt8] = [0xFF, 0xD8]
        var others: [UInt8] = []
        var hasOther = false
        while true {
            let (segment, end) = try next(&reader)
            // Segments for applications, and comments, come before all that is needed to decode.
            guard 0xE0...0xEF ~= segment.marker || segment.marker == 0xFE else {
                let rest = UnsafeRawBufferPointer(rebasing: file[segment.offset...])
                return header + self.segment(block) + others + rest
            }
            let bytes = file[segment.offset..<end]
            if segment.marker == 0xE1, segment.body.starts(with: signature) { continue }
            if segment.marker == 0xE0, !hasOther {
                header += bytes
            } else {
                hasOther = true
                others += bytes
            }
        }
    }

    private static func next(
        _ reader: inout JPEGSegmentReader
    ) throws(ImagingError) -> (JPEGSegmentReader.Segment, end: Int) {
        do {
            let segment = try reader.nextSegment()
            return (segment, reader.offset)
        } catch {
            throw .corrupt(format: "JPEG", reason: "\(error)")
        }
    }

    private static func segment(_ block: [UInt8]) -> [UInt8] {
        let length = 2 + signature.count + block.count
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + signature + block
    }
}
