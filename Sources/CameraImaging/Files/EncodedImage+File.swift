public import CameraMedia

extension EncodedImage {
    /// A WebP or JPEG file as an image; its own header says the size.
    ///
    /// - Throws: If it is neither, its header is damaged, or it has more than ``Limits/pixelCount`` pixels.
    package init(file data: SharedBytes) throws(ImagingError) {
        let (codec, size) = try data.withUnsafeBytes { (bytes) throws(ImagingError) in
            switch ImageFileFormat(signature: bytes) {
            case .webp: return (ImageCodec.webp, try WebPDecoder.size(of: bytes))
            case .jpeg:
                do {
                    return (ImageCodec.jpeg, try JPEGMarkers.parse(bytes).size)
                } catch {
                    throw ImagingError.corrupt(format: "JPEG", reason: "\(error)")
                }
            case .png, nil: throw ImagingError.unsupported("an image that is neither WebP nor JPEG")
            }
        }
        self.init(
            codec: codec, width: Int(size.width), height: Int(size.height),
            colorimetry: codec == .webp ? .webp : .jpeg, data: data)
        try checkDeclaredSize()
    }

    /// The image as a WebP or JPEG file, the coded picture untouched.
    ///
    /// - Parameter captureTime: When the picture was taken, which is added as EXIF (DateTimeOriginal,
    ///   SubSecTimeOriginal, OffsetTimeOriginal, in UTC) instead of what EXIF there is; `nil` for the bytes as they are.
    /// - Returns: The file's bytes.
    /// - Throws: ``ImagingError/unsupported(_:)`` for a raw image; ``ImagingError/corrupt(format:reason:)`` if its
    ///   header is damaged.
    public func file(takenAt captureTime: CaptureTime?) throws(ImagingError) -> [UInt8] {
        guard codec != .raw else { throw .unsupported("a raw image as a file") }
        guard let captureTime else { return data.array }
        let exif = ExifBlock.bytes(takenAt: captureTime.utcNanoseconds)
        return try data.withUnsafeBytes { (bytes) throws(ImagingError) in
            codec == .jpeg ? try JPEGExif.adding(exif, to: bytes) : try WebPExif.adding(exif, to: bytes)
        }
    }
}
