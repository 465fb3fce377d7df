import CameraImaging
import CameraMedia
import Testing

@Suite("JPEG markers")
struct JPEGMarkersTests {
    private let file: [UInt8]

    init() throws {
        file = try Image(TestPicture.bgra(width: 67, height: 45)).encoded(as: .jpeg, quality: 80)
    }

    /// The file without its Huffman tables, as a USB camera sends it.
    private func withoutTables() throws -> [UInt8] {
        var bytes = file
        var offset = 2
        while bytes[offset + 1] != 0xDA {
            let length = 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            if bytes[offset + 1] == 0xC4 { bytes.removeSubrange(offset..<(offset + length)) } else { offset += length }
        }
        return bytes
    }

    @Test("Shape and places of a whole file")
    func whole() throws {
        let markers = try JPEGMarkers.parse(file)
        #expect(markers.size == PixelSize(width: 67, height: 45))
        #expect(markers.components.map(\.identifier) == [1, 2, 3])
        #expect(markers.components.map(\.horizontalSampling) == [2, 1, 1])
        #expect(markers.pixelFormat == .i420)
        #expect(markers.hasHuffmanTables && markers.isWhole && !markers.isProgressive)
        #expect(markers.endOffset == file.count)
        #expect(file[markers.frameHeaderOffset...].prefix(2) == [0xFF, 0xC0])
        #expect(file[markers.scanOffset...].prefix(2) == [0xFF, 0xDA])
    }

    @Test(
        "Padding after the end is accepted and cut off",
        arguments: [[0], [0xFF], [0, 0, 0, 0, 0], [0xFF, 0xD8, 0xFF]] as [[UInt8]])
    func padding(_ padding: [UInt8]) throws {
        let markers = try JPEGMarkers.parse(file + padding)
        #expect(markers.endOffset == file.count)
        #expect(try completed(file + padding) == file)
    }

    @Test("Missing Huffman tables are added, and the image is as before")
    func completion() throws {
        let bare = try withoutTables()
        let markers = try JPEGMarkers.parse(bare)
        #expect(!markers.hasHuffmanTables && markers.isWhole)
        let decoder = ImageDecoder(pool: MemoryPool(limit: 2))
        let image = try bare.withUnsafeBytes { try markers.completed($0, pool: MemoryPool(limit: 1)) }
        #expect(image.data.count == bare.count + 420 && image.size == markers.size && image.colorimetry == .jpeg)
        let expected = try decoder.decode(EncodedImage(file: SharedBytes(copying: file))).rows()
        #expect(try decoder.decode(image).rows() == expected)
    }

    private func completed(_ bytes: [UInt8]) throws -> [UInt8] {
        let markers = try JPEGMarkers.parse(bytes)
        var result = [UInt8](repeating: 0xAA, count: markers.completedByteCount(of: bytes.count))
        bytes.withUnsafeBytes { bytes in
            result.withUnsafeMutableBytes { markers.complete(bytes, into: $0) }
        }
        return result
    }

    @Test("A file cut anywhere is an error in its header, and not whole in its scan")
    func cutShort() throws {
        let scan = try JPEGMarkers.parse(file).scanOffset
        let scanHeaderLength = 2 + Int(file[scan + 2]) << 8 + Int(file[scan + 3])
        for count in 0..<file.count {
            let prefix = Array(file.prefix(count))
            if count < scan + scanHeaderLength {
                #expect(throws: JPEGMarkerError.self, "\(count)") { try JPEGMarkers.parse(prefix) }
            } else {
                let markers = try JPEGMarkers.parse(prefix)
                #expect(!markers.isWhole && markers.size.width == 67, "\(count)")
            }
        }
    }

    @Test("Flipped bytes never trap, and what parses has a possible size")
    func flippedBytes() throws {
        for offset in file.indices {
            for mask in [0x01, 0x80, 0xFF] as [UInt8] {
                var bytes = file
                bytes[offset] ^= mask
                guard let markers = try? JPEGMarkers.parse(bytes) else { continue }
                #expect(markers.size.width > 0 && markers.size.height > 0 && !markers.components.isEmpty)
                _ = try completed(bytes)
            }
        }
    }

    @Test("Fill bytes, restart markers and further scans are passed over")
    func legalVariety() throws {
        var bytes = file
        bytes.insert(contentsOf: [0xFF, 0xFF], at: 2)
        #expect(try JPEGMarkers.parse(bytes).endOffset == bytes.count)
        bytes = file
        bytes.insert(contentsOf: [0xFF, 0xD0, 0xFF, 0x00, 0xFF, 0xC4, 0, 4, 0xFF, 0xD9], at: bytes.count - 2)
        #expect(try JPEGMarkers.parse(bytes).endOffset == bytes.count)
    }

    @Test("Each fault has its own error")
    func faults() throws {
        let start: [UInt8] = [0xFF, 0xD8]
        let header: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        let faults: [([UInt8], JPEGMarkerError)] = [
            ([], .notJPEG), (Array("RIFF".utf8), .notJPEG), (start, .truncatedHeader(offset: 2)),
            (start + [0x12, 0x34], .missingMarker(offset: 2)),
            (start + [0xFF, 0xE0, 0, 1], .badSegment(marker: 0xE0, offset: 2)),
            (start + [0xFF, 0xE0, 0xFF, 0xFF, 0], .truncatedHeader(offset: 7)),
            (start + scan, .missingFrameHeader(offset: 2)),
            (start + [0xFF, 0xD9], .missingFrameHeader(offset: 2)),
            (start + header + header + scan, .secondFrameHeader(offset: 15)),
            (start + [0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 16, 1, 1, 0x11, 0], .badFrameHeader(offset: 2)),
            (start + [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x01, 0], .badFrameHeader(offset: 2)),
            (start + [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 2, 1, 0x11, 0], .badSegment(marker: 0xC0, offset: 2)),
            (start + [0xFF, 0xC3, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0], .unsupportedProcess(marker: 0xC3)),
        ]
        for (bytes, error) in faults {
            #expect(throws: error) { try JPEGMarkers.parse(bytes) }
        }
        let gray = try JPEGMarkers.parse(start + header + scan)
        #expect(gray.pixelFormat == .gray8 && !gray.isWhole && !gray.hasHuffmanTables)
    }
}
