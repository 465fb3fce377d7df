import CameraMedia

extension Image {
    /// The image as a file.
    ///
    /// WebP and PNG have its alpha, straight, unless it is opaque; JPEG shows it on black. WebP and JPEG tell
    /// ``captureTime`` in EXIF. Blocks for as long as that takes.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - quality: 0 to 100 on the codec's own scale; of no meaning for PNG.
    /// - Returns: The file's bytes.
    /// - Throws: If the format cannot carry the size, or memory is out.
    public func encoded(as format: ImageFileFormat, quality: Int = 90) throws(ImagingError) -> [UInt8] {
        switch format {
        case .png: return isOpaque ? try PNG.encode(pixelBuffer) : try PNG.encode(premultiplied: pixelBuffer)
        case .webp:
            return try (isOpaque ? encoded(by: .webp, quality) : webPWithAlpha(quality)).file(takenAt: captureTime)
        case .jpeg: return try encoded(by: .jpeg, quality).file(takenAt: captureTime)
        }
    }

    private func encoded(by codec: ImageCodec, _ quality: Int) throws(ImagingError) -> EncodedImage {
        try ImageEncoder(pool: MemoryPool(limit: 1)).encode(pixelBuffer, as: codec, quality: quality)
    }

    private func webPWithAlpha(_ quality: Int) throws(ImagingError) -> EncodedImage {
        guard max(width, height) <= ImageCodec.webp.maximumSide else { throw .sizeOutOfRange(size) }
        let straight = try AlphaChannel.copy(of: pixelBuffer) { AlphaChannel.unpremultiply($0) }
        let planes = try PixelConverter().convert(
            straight, to: .i420, colorimetry: .webp, pool: MemoryPool(limit: 1))
        let data = try WebPEncoder().encode(
            planes, alpha: AlphaChannel.extract(from: straight), quality: quality, pool: MemoryPool(limit: 1))
        return EncodedImage(codec: .webp, width: width, height: height, colorimetry: .webp, data: data)
    }

    /// Writes the image to a file, which appears whole or not at all; one that is there is replaced.
    ///
    /// What it holds is what ``encoded(as:quality:)`` makes.
    ///
    /// - Parameters:
    ///   - path: The file. Its ending, `webp`, `jpg`, `jpeg` or `png`, is the format.
    ///   - quality: 0 to 100 on the codec's own scale; of no meaning for PNG.
    /// - Throws: If the ending is another one, or the file cannot be written.
    public func write(to path: String, quality: Int = 90) throws(ImagingError) {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        guard let format = ImageFileFormat(pathExtension: ending) else {
            throw .unsupported("the file name ending “\(ending)” (webp, jpg, jpeg and png are)")
        }
        let bytes = try encoded(as: format, quality: quality)
        try WholeFile.write(bytes, to: path)
    }
}
