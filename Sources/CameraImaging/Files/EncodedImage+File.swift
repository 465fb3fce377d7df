package import CameraMedia

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
}
