import CameraCapture
import CameraImaging
import CameraMedia
import CameraProtocol
import Glibc

/// Lists folders of images.
struct ImageFolderSource: FrameFileSource {
    let path: String
    let frameRate: FrameRate

    var isReplayable: Bool { true }
    var isSlowToOpen: Bool { false }

    func open(pool: MemoryPool, interrupt: EventDescriptor) throws(CaptureInputError) -> any FrameFile {
        let names = try Self.imageNames(in: path)
        guard !names.isEmpty else {
            throw CaptureInputError(.notFound, subject: path, reason: "no webp, jpg, jpeg or png files in this folder")
        }
        let paths = names.map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
        guard let folder = ImageFolder(paths: paths, frameRate: frameRate, pool: pool) else {
            throw CaptureInputError(
                .invalidData, subject: path, reason: "none of its \(names.count) image files can be decoded")
        }
        return folder
    }

    private static func imageNames(in path: String) throws(CaptureInputError) -> [String] {
        guard let folder = opendir(path) else { throw CaptureInputError(file: path, errno: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = String(fixed: entry.pointee.d_name)
            guard !name.hasPrefix("."), entry.pointee.d_type != DT_DIR, let dot = name.lastIndex(of: "."),
                ImageFileFormat(pathExtension: String(name[name.index(after: dot)...])) != nil
            else { continue }
            names.append(name)
        }
        return names.sorted()
    }
}

/// An open folder of images.
private final class ImageFolder: FrameFile {
    private(set) var format: CaptureFormat
    private let paths: [String]
    private let frameRate: FrameRate
    private let pool: MemoryPool
    private let decoder: ImageDecoder
    /// For the bytes of one file, while it is decoded.
    private let scratch = MemoryPool(limit: 1)
    private var index = 0
    /// Decoded already, but not delivered.
    private var pending: SampleBuffer.Content?

    /// - Returns: `nil` if there is no image that can be decoded.
    init?(paths: [String], frameRate: FrameRate, pool: MemoryPool) {
        self.paths = paths
        self.frameRate = frameRate
        self.pool = pool
        decoder = ImageDecoder(pool: pool)
        format = CaptureFormat(
            size: PixelSize(width: 0, height: 0), frameRate: frameRate, pixelFormat: nil, colorimetry: .jpeg)
        for path in paths {
            if let first = try? content(of: path) {
                pending = first
                format = format(of: first)
                return
            }
            index += 1
        }
        return nil
    }

    func next() -> FrameFileResult {
        if let content = pending.take() {
            index += 1
            return .frame(content, format(of: content))
        }
        guard index < paths.count else { return .end(.endOfFile, text: "") }
        do throws(ImagingError) {
            let content = try content(of: paths[index])
            index += 1
            return .frame(content, format(of: content))
        } catch .outOfBuffers {
            return .outOfBuffers
        } catch {
            index += 1
            return .dropped(.corrupt)
        }
    }

    func skip() -> FrameFileResult {
        guard index < paths.count else { return .end(.endOfFile, text: "") }
        index += 1
        return .dropped(.outOfBuffers)
    }

    private func content(of path: String) throws(ImagingError) -> SampleBuffer.Content {
        let bytes = try WholeFile.read(path, limit: Limits.frameByteCount, pool: scratch)
        switch bytes.withUnsafeBytes({ ImageFileFormat(signature: $0) }) {
        case .png: return .pixels(try PNG.decode(bytes, pool: pool))
        case .jpeg: return .encoded(try bytes.wholeJPEG(pool: pool))
        case .webp, nil: return .pixels(try decoder.decodeNative(EncodedImage(file: bytes)))
        }
    }

    private func format(of content: SampleBuffer.Content) -> CaptureFormat {
        switch content {
        case .encoded(let image):
            CaptureFormat(
                size: image.size, frameRate: frameRate, codec: image.codec, pixelFormat: nil,
                colorimetry: image.colorimetry)
        case .pixels(let picture):
            CaptureFormat(
                size: picture.size, frameRate: frameRate, pixelFormat: picture.pixelFormat,
                colorimetry: picture.colorimetry)
        }
    }
}

extension SharedBytes {
    /// A JPEG file as an image, copied, with the standard Huffman tables if it has none.
    ///
    /// - Throws: If it is cut short, damaged or too large, or the pool has no block left.
    fileprivate func wholeJPEG(pool: MemoryPool) throws(ImagingError) -> EncodedImage {
        try withUnsafeBytes { (bytes) throws(ImagingError) in
            guard let markers = try? JPEGMarkers.parse(bytes), markers.isWhole else {
                throw .truncated(format: "JPEG")
            }
            guard markers.size.pixelCount <= Limits.pixelCount else { throw .sizeOutOfRange(markers.size) }
            return try markers.completed(bytes, pool: pool)
        }
    }
}
