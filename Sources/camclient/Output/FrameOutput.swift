import CameraImaging
import CommandLineOptions

/// Writes frames as one stream to a file or standard output.
final class FrameOutput: Sendable {
    /// What became of a frame.
    enum Outcome: Sendable {
        /// It was written.
        case written
        /// Its image is damaged; nothing was written.
        case undecodable
        /// Nobody reads any more.
        case readerIsGone
    }

    private let queue = BlockingQueue("camclient.output")
    private let writer: StreamWriter

    /// Opens the file, or creates it; `-` is standard output. What it holds is replaced when the first frame comes.
    init(path: String, format: ClientOptions.OutputFormat, quality: Int) throws {
        writer = StreamWriter(file: try OutputFile(path: path), format: format, quality: quality)
    }

    /// Writes a frame; waits for as long as the reader needs.
    func write(_ frame: SampleBuffer) async throws -> Outcome {
        try await queue.run { [writer] in try writer.write(frame) }
    }
}

/// The stream's state; used by one queue, one frame after the other.
private final class StreamWriter: @unchecked Sendable {
    private let file: OutputFile
    private let format: ClientOptions.OutputFormat
    private let quality: Int
    private let pool = MemoryPool(limit: 4)
    private let decoder: ImageDecoder
    private let converter = PixelConverter()
    private var y4m: Y4MWriter?
    /// Of the first frame.
    private var colorimetry: Colorimetry?
    private var size: PixelSize?
    private var hasBegun = false

    init(file: OutputFile, format: ClientOptions.OutputFormat, quality: Int) {
        self.file = file
        self.format = format
        self.quality = quality
        decoder = ImageDecoder(pool: pool)
    }

    func write(_ frame: SampleBuffer) throws -> FrameOutput.Outcome {
        if !hasBegun {
            file.empty()
            hasBegun = true
        }
        do {
            let isOpen =
                switch format {
                case .y4m: try writeY4M(frame)
                case .bgra: try writeBGRA(frame)
                case .mjpeg: try writeJPEG(frame)
                }
            return isOpen ? .written : .readerIsGone
        } catch is ImagingError {
            return .undecodable
        }
    }

    private func writeY4M(_ frame: SampleBuffer) throws -> Bool {
        let picture = try native(frame)
        let format = picture.pixelFormat.y4mFormat
        // A stream has one range: a server that goes from WebP to JPEG by itself changes nothing for its reader.
        let planes = try converter.convert(picture, to: format, colorimetry: colorimetry, pool: pool)
        colorimetry = planes.colorimetry
        do throws(Y4MError) {
            if y4m == nil { y4m = Y4MWriter(descriptor: file.descriptor, frameRate: frame.duration?.frameRate) }
            try y4m?.write(planes)
            return true
        } catch {
            switch error {
            case .system(let code): return try file.failed(code)
            default: throw changed("\(error)")
            }
        }
    }

    private func writeBGRA(_ frame: SampleBuffer) throws -> Bool {
        guard size == nil || size == frame.size else { throw changed("the size changed to \(frame.size)") }
        size = frame.size
        let picture: PixelBuffer
        switch frame.content {
        case .pixels(let pixels): picture = try converter.convert(pixels, to: .bgra32, pool: pool)
        case .encoded(let image): picture = try decoder.decode(image, to: .bgra32)
        }
        guard picture.isPacked else { return try picture.packedBytes().withUnsafeBytes { try file.write($0) } }
        return try picture.withBaseAddress { try file.write($0) }
    }

    private func writeJPEG(_ frame: SampleBuffer) throws -> Bool {
        if case .encoded(let image) = frame.content, image.codec == .jpeg {
            return try image.data.withUnsafeBytes { try file.write($0) }
        }
        return try Image(frame).encoded(as: .jpeg, quality: quality).withUnsafeBytes { try file.write($0) }
    }

    private func native(_ frame: SampleBuffer) throws -> PixelBuffer {
        switch frame.content {
        case .pixels(let pixels): pixels
        case .encoded(let image): try decoder.decodeNative(image)
        }
    }

    private func changed(_ reason: String) -> RuntimeFailure {
        RuntimeFailure(
            subject: "output", reason: reason, remedy: "fix the size with --size, or start again",
            exitCode: .dataError)
    }
}

extension PixelFormat {
    /// The layout of Y4M that loses nothing of this one's resolution.
    fileprivate var y4mFormat: PixelFormat {
        switch self {
        case .gray8, .i420, .i422, .i444: self
        case .nv12: .i420
        case .yuyv, .uyvy: .i422
        case .bgra32, .rgb24, .bgr24: .i444
        }
    }
}
