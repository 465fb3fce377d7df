import CameraImaging
package import CameraMedia
import Foundation

/// Saves frames as image files, each whole: it has its name only once all of it is written.
///
/// May be used from any thread; files are written one after the other on a thread of its own.
package final class FrameSaver: Sendable {
    /// What the files hold.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// The bytes as received; raw frames and pixels become PNG.
        case received
        /// WebP: as received, or encoded here, with the capture time in EXIF.
        case webp
        /// JPEG: as received, or encoded here, with the capture time in EXIF.
        case jpeg
        /// PNG, lossless.
        case png
    }

    /// Where the files go.
    package let directory: String
    private let format: Format
    private let quality: Int
    private let queue = DispatchQueue(label: "camstream.saver")
    private let window: SavedFiles

    /// Prepares the directory: makes it, and removes what killed runs left half written.
    ///
    /// Blocks for as long as that takes.
    ///
    /// - Parameters:
    ///   - directory: Where the files go.
    ///   - format: What they hold.
    ///   - quality: 0 to 100 on the codec's own scale, for frames that have to be encoded.
    ///   - keep: How many of the newest files of this saver are kept; `nil`: all.
    /// - Throws: ``FrameSavingError`` if the directory cannot be made or written to.
    package init(
        directory: String, format: Format = .received, quality: Int = 90, keep: Int? = nil
    ) throws(FrameSavingError) {
        self.directory = directory
        self.format = format
        self.quality = quality
        window = SavedFiles(limit: keep)
        let code = Self.makeDirectory(directory)
        guard code == 0 else { throw FrameSavingError(.cannotCreate(path: directory, errno: code)) }
        var status = stat()
        if stat(directory, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw FrameSavingError(.cannotCreate(path: directory, errno: ENOTDIR))
        }
        guard access(directory, W_OK | X_OK) == 0 else {
            throw FrameSavingError(.cannotCreate(path: directory, errno: errno))
        }
        WholeFile.removeLeftovers(in: directory)
    }

    /// Makes a directory and those it is in, as far as they are missing.
    ///
    /// - Returns: 0, or the error's number.
    private static func makeDirectory(_ path: String) -> Int32 {
        let number = mkdir(path, 0o777) == 0 ? 0 : errno
        if number == 0 || number == EEXIST { return 0 }
        let components = path.split(separator: "/")
        guard number == ENOENT, components.count > 1 else { return number }
        let parent = (path.hasPrefix("/") ? "/" : "") + components.dropLast().joined(separator: "/")
        let code = makeDirectory(parent)
        return code != 0 || mkdir(path, 0o777) == 0 || errno == EEXIST ? code : errno
    }

    /// Saves a frame.
    ///
    /// - Returns: The file's path.
    /// - Throws: ``FrameSavingError``; no half file is left.
    package func save(_ frame: SampleBuffer) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try write(frame) })
            }
        }
    }

    private func write(_ frame: SampleBuffer) throws -> String {
        do throws(ImagingError) {
            let path = "\(directory)/\(FrameFileName.stem(of: frame))."
            switch (frame.content, format) {
            case (.encoded(let image), .received) where image.codec != .raw,
                (.encoded(let image), .webp)
            where image.codec == .webp, (.encoded(let image), .jpeg) where image.codec == .jpeg:
                let ending = image.codec == .webp ? ImageFileFormat.webp : .jpeg
                return try write(to: path + ending.pathExtension) { (path) throws(ImagingError) in
                    try WholeFile.write(image.data, to: path)
                }
            case (_, .webp): return try encode(frame, as: .webp, to: path)
            case (_, .jpeg): return try encode(frame, as: .jpeg, to: path)
            case (_, .png), (_, .received): return try encode(frame, as: .png, to: path)
            }
        } catch {
            throw FrameSavingError(error)
        }
    }

    private func encode(_ frame: SampleBuffer, as format: ImageFileFormat, to path: String) throws(ImagingError)
        -> String
    {
        let bytes = try Image(frame).encoded(as: format, quality: quality)
        return try write(to: path + format.pathExtension) { (path) throws(ImagingError) in
            try WholeFile.write(bytes, to: path)
        }
    }

    private func write(to path: String, _ body: (String) throws(ImagingError) -> Void) throws(ImagingError) -> String {
        try body(path)
        window.add(path)
        return path
    }
}
