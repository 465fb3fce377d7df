package import CameraProtocol

/// What the markers of a JPEG image say (ITU-T T.81, annex B): its shape, and whether it is whole.
///
/// Reads no pixel. Every access is checked: the bytes may come from anywhere.
package struct JPEGMarkers: Sendable, Hashable {
    /// A component of the frame header.
    package struct Component: Sendable, Hashable {
        /// Its number, by which scans refer to it.
        package var identifier: UInt8
        /// Samples in a row of a coding unit, 1 to 4.
        package var horizontalSampling: UInt8
        /// Rows in a coding unit, 1 to 4.
        package var verticalSampling: UInt8
    }

    /// The picture's size.
    package private(set) var size = PixelSize(width: 0, height: 0)
    /// The components, 1 to 4: Y, Cb and Cr as a rule, Y alone for gray.
    package private(set) var components: [Component] = []
    /// Whether the image is coded progressively, in several scans.
    package private(set) var isProgressive = false
    /// Whether there is any Huffman table before the first scan; many cameras leave the standard ones out.
    package private(set) var hasHuffmanTables = false
    /// Where the marker of the frame header (SOF0, SOF1 or SOF2) begins.
    package private(set) var frameHeaderOffset = 0
    /// Where the marker of the first scan (SOS) begins.
    package private(set) var scanOffset = 0
    /// Where the image ends, after its end marker (EOI); `nil` if it is cut short. Padding may follow.
    package private(set) var endOffset: Int?

    /// Whether the end marker is there.
    package var isWhole: Bool { endOffset != nil }

    /// The layout that the components have; `nil` for one that ``PixelFormat`` does not name.
    package var pixelFormat: PixelFormat? {
        let samplings = components.map { ($0.horizontalSampling, $0.verticalSampling) }
        if samplings.count == 1 { return .gray8 }
        guard samplings.count == 3, samplings[1] == (1, 1), samplings[2] == (1, 1) else { return nil }
        return switch samplings[0] {
        case (1, 1): .i444
        case (2, 1): .i422
        case (2, 2): .i420
        default: nil
        }
    }

    /// Reads the markers of an image.
    ///
    /// - Throws: If the header is damaged, cut short or of a kind that is not supported. An image that is cut short
    ///   after its first scan began is no error: ``isWhole`` is false.
    package static func parse(_ bytes: UnsafeRawBufferPointer) throws(JPEGMarkerError) -> JPEGMarkers {
        var reader = JPEGSegmentReader(bytes)
        var markers = JPEGMarkers()
        guard reader.skipStartOfImage() else { throw .notJPEG }
        while true {
            let segment = try reader.nextSegment()
            switch segment.marker {
            case 0xC4: markers.hasHuffmanTables = true
            case 0xC0, 0xC1, 0xC2:
                guard markers.components.isEmpty else { throw .secondFrameHeader(offset: segment.offset) }
                try markers.readFrameHeader(segment)
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: throw .unsupportedProcess(marker: segment.marker)
            case 0xDA:
                guard !markers.components.isEmpty else { throw .missingFrameHeader(offset: segment.offset) }
                markers.scanOffset = segment.offset
                markers.endOffset = reader.findEnd()
                return markers
            case 0xD9: throw .missingFrameHeader(offset: segment.offset)
            default: break
            }
        }
    }

    /// Reads the markers of an image.
    package static func parse(_ bytes: [UInt8]) throws(JPEGMarkerError) -> JPEGMarkers {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(JPEGMarkerError) in try parse(bytes) }
        }.get()
    }

    private mutating func readFrameHeader(_ segment: JPEGSegmentReader.Segment) throws(JPEGMarkerError) {
        let body = segment.body
        guard body.count >= 6, body.count == 6 + 3 * Int(body[5]) else {
            throw .badSegment(marker: segment.marker, offset: segment.offset)
        }
        size = PixelSize(
            width: UInt32(body[3]) << 8 | UInt32(body[4]), height: UInt32(body[1]) << 8 | UInt32(body[2]))
        components = (0..<Int(body[5])).map { index in
            let sampling = body[7 + 3 * index]
            return Component(
                identifier: body[6 + 3 * index], horizontalSampling: sampling >> 4, verticalSampling: sampling & 15)
        }
        isProgressive = segment.marker == 0xC2
        frameHeaderOffset = segment.offset
        let isSound = components.allSatisfy {
            1...4 ~= $0.horizontalSampling && 1...4 ~= $0.verticalSampling
        }
        guard size.width > 0, size.height > 0, 1...4 ~= components.count, isSound else {
            throw .badFrameHeader(offset: segment.offset)
        }
    }
}
