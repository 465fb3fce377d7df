/// Why bytes are no JPEG image that can be handled.
package enum JPEGMarkerError: Error, Sendable, Hashable {
    /// The bytes do not begin with a start-of-image marker.
    case notJPEG
    /// The bytes end, at `offset`, before the first scan begins.
    case truncatedHeader(offset: Int)
    /// Something other than a marker stands where one must.
    case missingMarker(offset: Int)
    /// A segment is shorter or longer than its content.
    case badSegment(marker: UInt8, offset: Int)
    /// A scan or the end comes before the frame header.
    case missingFrameHeader(offset: Int)
    /// There is a second frame header.
    case secondFrameHeader(offset: Int)
    /// The frame header has a size of 0, no component, or sampling factors out of range.
    case badFrameHeader(offset: Int)
    /// The coding process is not baseline, extended sequential or progressive Huffman coding.
    case unsupportedProcess(marker: UInt8)
}

extension JPEGMarkerError: CustomStringConvertible {
    /// For a person.
    package var description: String {
        switch self {
        case .notJPEG: "the data does not begin as a JPEG image"
        case .truncatedHeader(let offset): "the JPEG header is cut short at byte \(offset)"
        case .missingMarker(let offset): "there is no JPEG marker at byte \(offset)"
        case .badSegment(let marker, let offset):
            "the JPEG segment 0x\(String(marker, radix: 16)) at byte \(offset) has a wrong length"
        case .missingFrameHeader(let offset): "the JPEG image has no frame header before byte \(offset)"
        case .secondFrameHeader(let offset): "the JPEG image has a second frame header at byte \(offset)"
        case .badFrameHeader(let offset): "the JPEG frame header at byte \(offset) makes no sense"
        case .unsupportedProcess(let marker): "the JPEG process 0x\(String(marker, radix: 16)) is not supported"
        }
    }
}
