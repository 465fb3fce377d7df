/// The formats that an ``Image`` is read from and written to.
public enum ImageFileFormat: Sendable, Hashable, CaseIterable {
    /// WebP, lossy when written.
    case webp
    /// JPEG.
    case jpeg
    /// PNG, lossless.
    case png

    /// The usual ending of a file's name, without the dot.
    public var pathExtension: String {
        switch self {
        case .webp: "webp"
        case .jpeg: "jpg"
        case .png: "png"
        }
    }

    /// The format that a file's name ends with: `webp`, `jpg`, `jpeg` or `png`, in any case.
    ///
    /// - Returns: `nil` for any other ending.
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "webp": self = .webp
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        default: return nil
        }
    }

    /// The format that a file's first bytes say, whatever its name.
    ///
    /// - Parameter bytes: The beginning of the file, 12 bytes at least.
    /// - Returns: `nil` if it is none of these.
    public init?(signature bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
