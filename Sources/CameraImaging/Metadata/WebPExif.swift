import CWebP
import CameraMedia

/// EXIF in WebP files: a chunk of its own, put in by libwebpmux without touching the coded picture.
enum WebPExif {
    /// The file with an EXIF chunk, instead of one that it has.
    static func adding(_ block: [UInt8], to file: UnsafeRawBufferPointer) throws(ImagingError) -> [UInt8] {
        var data = WebPData(bytes: file.baseAddress?.assumingMemoryBound(to: UInt8.self), size: file.count)
        guard let mux = WebPMuxCreate(&data, 0) else {
            throw .corrupt(format: "WebP", reason: "its chunks cannot be read")
        }
        defer { WebPMuxDelete(mux) }
        let added = block.withUnsafeBufferPointer { block in
            var chunk = WebPData(bytes: block.baseAddress, size: block.count)
            return WebPMuxSetChunk(mux, "EXIF", &chunk, 1)
        }
        try check(added)
        var assembled = WebPData()
        defer { WebPDataClear(&assembled) }
        try check(WebPMuxAssemble(mux, &assembled))
        return Array(UnsafeBufferPointer(start: assembled.bytes, count: assembled.size))
    }

    private static func check(_ result: WebPMuxError) throws(ImagingError) {
        switch result {
        case WEBP_MUX_OK: return
        case WEBP_MUX_MEMORY_ERROR: throw .outOfBuffers
        default: throw .encodingFailed(format: "WebP", reason: "libwebpmux's error \(result.rawValue)")
        }
    }
}
