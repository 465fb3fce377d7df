import CameraCapture
import CameraImaging
import CameraMedia
import CameraProtocol
import Glibc

/// Opens YUV4MPEG2 files.
struct Y4MSource: FrameFileSource {
    let path: String
    /// What a person calls it.
    let name: String

    private var isStandardInput: Bool { path == "-" }

    /// A pipe by name is read once, like standard input, and whoever writes to it may take its time.
    private var isNamedPipe: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    var isReplayable: Bool { !isStandardInput && !isNamedPipe }
    var isSlowToOpen: Bool { isStandardInput || isNamedPipe }

    func open(pool: MemoryPool, interrupt: EventDescriptor) throws(CaptureInputError) -> any FrameFile {
        // A pipe that nobody writes to yet opens at once, and is waited for where that can be interrupted.
        let descriptor = FileDescriptor(
            isStandardInput ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard descriptor.number >= 0 else { throw CaptureInputError(file: name, errno: errno) }
        do throws(Y4MError) {
            return Y4MFile(
                reader: try Y4MReader(descriptor: descriptor.number, interruptedBy: interrupt.descriptor),
                descriptor: descriptor, name: name, pool: pool, interrupt: interrupt)
        } catch {
            throw CaptureInputError(file: name, error)
        }
    }
}

/// An open YUV4MPEG2 file.
private final class Y4MFile: FrameFile {
    let format: CaptureFormat
    private var reader: Y4MReader
    private let descriptor: FileDescriptor
    private let name: String
    private let interrupt: EventDescriptor
    private let pool: MemoryPool
    private let scratch = MemoryPool(limit: 1)

    init(
        reader: Y4MReader, descriptor: FileDescriptor, name: String, pool: MemoryPool, interrupt: EventDescriptor
    ) {
        self.reader = reader
        self.descriptor = descriptor
        self.name = name
        self.pool = pool
        self.interrupt = interrupt
        let header = reader.header
        format = CaptureFormat(
            size: PixelSize(width: UInt32(header.width), height: UInt32(header.height)), frameRate: header.frameRate,
            pixelFormat: header.pixelFormat, colorimetry: header.colorimetry)
    }

    func next() -> FrameFileResult {
        read(pool) { .frame(.pixels($0), format) }
    }

    func skip() -> FrameFileResult {
        read(scratch) { _ in .dropped(.outOfBuffers) }
    }

    private func read(_ pool: MemoryPool, _ result: (PixelBuffer) -> FrameFileResult) -> FrameFileResult {
        do throws(Y4MError) {
            guard let picture = try reader.readFrame(pool: pool) else { return .end(.endOfFile, text: "") }
            return result(picture)
        } catch {
            switch error {
            case .outOfBuffers: return .outOfBuffers
            case .interrupted: return .interrupted
            case .system: return .end(.deviceError, text: "\(name): \(error)")
            default: return .end(.corrupt, text: "\(name): \(error)")
            }
        }
    }
}

extension CaptureInputError {
    fileprivate init(file: String, _ error: Y4MError) {
        switch error {
        case .system(let number): self.init(file: file, errno: number)
        case .unsupportedColorSpace:
            self.init(
                .invalidData, subject: file, reason: "\(error)",
                remedy: "convert it, for instance with: ffmpeg -i INPUT -pix_fmt yuv420p OUTPUT.y4m")
        default: self.init(.invalidData, subject: file, reason: "\(error)")
        }
    }
}
