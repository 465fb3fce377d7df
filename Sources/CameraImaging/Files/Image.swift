public import CameraMedia

/// A picture that owns its pixels: 8 bits of blue, green, red and alpha, opaque.
///
/// Holds no buffer of a camera or a pool, so that it may be kept for as long as one likes. May be used from any thread.
public struct Image: Sendable {
    /// The pixels, in ``PixelFormat/bgra32``.
    public let pixelBuffer: PixelBuffer

    /// Pixels a row.
    public var width: Int { pixelBuffer.width }
    /// Rows.
    public var height: Int { pixelBuffer.height }

    /// Converts, decodes or copies a frame's picture.
    ///
    /// - Throws: If the frame holds an image that is damaged, or memory is out.
    public init(_ sampleBuffer: SampleBuffer) throws(ImagingError) {
        switch sampleBuffer.content {
        case .pixels(let buffer): try self.init(buffer)
        case .encoded(let image): try self.init(image)
        }
    }

    /// Converts or copies a picture; its matrix and range are honoured, its alpha is not.
    ///
    /// - Throws: If memory is out.
    public init(_ pixelBuffer: PixelBuffer) throws(ImagingError) {
        let converted = try PixelConverter().convert(pixelBuffer, to: .bgra32, pool: MemoryPool(limit: 1))
        // Any other layout was converted to opaque pixels of our own.
        self.pixelBuffer = pixelBuffer.pixelFormat == .bgra32 ? try converted.opaqueCopy() : converted
    }

    /// Decodes an image.
    ///
    /// - Throws: If it is damaged, or memory is out.
    package init(_ image: EncodedImage) throws(ImagingError) {
        let picture = try ImageDecoder(pool: MemoryPool(limit: 1)).decode(image)
        pixelBuffer = image.codec == .raw && image.pixelFormat == .bgra32 ? try picture.opaqueCopy() : picture
    }

    /// Decodes a whole WebP, JPEG or PNG file; which one it is, its first bytes say.
    ///
    /// Transparent parts come out on black.
    ///
    /// - Throws: If it is none of these, damaged, or has more than ``Limits/pixelCount`` pixels.
    public init(data: [UInt8]) throws(ImagingError) {
        switch ImageFileFormat(signature: data) {
        case .png: try self.init(PNG.decode(data))
        case .webp, .jpeg: try self.init(EncodedImage(file: SharedBytes(copying: data)))
        case nil: throw .unsupported("a file that is neither WebP nor JPEG nor PNG")
        }
    }

    /// Reads a whole WebP, JPEG or PNG file.
    ///
    /// - Throws: If it cannot be read, is none of these, or is damaged.
    public init(contentsOf path: String) throws(ImagingError) {
        try self.init(data: WholeFile.read(path, limit: Limits.frameByteCount))
    }

    /// The picture as a file.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - quality: 0 to 100 on the codec's own scale; of no meaning for PNG.
    /// - Returns: The file's bytes.
    /// - Throws: If the format cannot carry the size, or memory is out.
    public func encoded(as format: ImageFileFormat, quality: Int = 90) throws(ImagingError) -> [UInt8] {
        switch format {
        case .png: try PNG.encode(pixelBuffer)
        case .webp: try encoded(by: .webp, quality: quality)
        case .jpeg: try encoded(by: .jpeg, quality: quality)
        }
    }

    private func encoded(by codec: ImageCodec, quality: Int) throws(ImagingError) -> [UInt8] {
        try ImageEncoder(pool: MemoryPool(limit: 1)).encode(pixelBuffer, as: codec, quality: quality).data.array
    }

    /// Writes the picture to a file, which appears whole or not at all; one that is there is replaced.
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

extension PixelBuffer {
    /// A copy of a BGRA picture in memory of its own, its alpha opaque.
    fileprivate func opaqueCopy() throws(ImagingError) -> PixelBuffer {
        try PixelBuffer.make(
            size: size, pixelFormat: .bgra32, colorimetry: colorimetry, pool: MemoryPool(limit: 1)
        ) { (planes) throws(ImagingError) in
            LayoutConversion.copy(self.planes[0], into: planes[0])
            planes[0].makeOpaque()
        }
    }
}
