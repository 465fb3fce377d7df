// The parser is no part of a product's interface, hence testable.
@testable import CameraImaging

/// Gives any bytes to the parser of a camera's JPEG, and completes what it takes.
///
/// Nothing may trap; a completed image has the same shape, its Huffman tables, and nothing behind its end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJPEGMarkers(_ start: UnsafeRawPointer?, _ byteCount: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount)
    let markers: JPEGMarkers
    do throws(JPEGMarkerError) {
        markers = try JPEGMarkers.parse(bytes)
    } catch {
        precondition(!"\(error)".isEmpty)
        return 0
    }
    precondition(markers.scanOffset <= markers.endOffset ?? byteCount && markers.endOffset ?? 0 <= byteCount)

    let completed = [UInt8](unsafeUninitializedCapacity: markers.completedByteCount(of: byteCount)) { buffer, count in
        markers.complete(bytes, into: UnsafeMutableRawBufferPointer(buffer))
        count = markers.completedByteCount(of: byteCount)
    }
    let again = try? JPEGMarkers.parse(completed)
    precondition(again?.size == markers.size && again?.components == markers.components, "another picture")
    precondition(again?.hasHuffmanTables == true, "no Huffman tables")
    precondition(again?.isWhole == markers.isWhole, "another end")
    precondition(again?.endOffset ?? completed.count == completed.count, "bytes behind the end")
    return 0
}
