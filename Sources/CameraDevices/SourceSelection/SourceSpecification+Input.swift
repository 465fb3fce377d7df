package import CameraCapture
import Glibc

/// What holds for any source that it makes a difference to.
package struct SourceOptions: Sendable, Hashable {
    /// How fast files play.
    package var pace: FilePace
    /// Whether files begin again after their end.
    package var loops: Bool
    /// A fixed format for cameras; `nil`: the best for the session's preset and rate.
    package var cameraFormat: V4L2FormatRequest?

    /// Creates options.
    package init(pace: FilePace = .realTime, loops: Bool = false, cameraFormat: V4L2FormatRequest? = nil) {
        self.pace = pace
        self.loops = loops
        self.cameraFormat = cameraFormat
    }
}

extension SourceSpecification {
    /// Makes the input; it is opened when its session starts.
    ///
    /// ``Kind/automatic`` becomes a ``TestPatternInput`` if there is no camera.
    /// - Throws: ``CaptureInputError`` if there is no such file, folder or device, or a camera that may not be opened.
    package func makeInput(_ options: SourceOptions = SourceOptions()) throws(CaptureInputError) -> any CaptureInput {
        switch kind {
        case .automatic:
            guard let camera = try CaptureDevice.firstCamera() else { return TestPatternInput() }
            return V4L2Input(devicePath: camera.path, name: camera.localizedName, format: options.cameraFormat)
        case .testPattern(let size, let rate): return TestPatternInput(size: size, frameRate: rate)
        case .standardInput: return Y4MInput(path: "-", pace: options.pace)
        case .path(let path): return try Self.makeInput(path, options)
        }
    }

    private static func makeInput(_ path: String, _ options: SourceOptions) throws(CaptureInputError)
        -> any CaptureInput
    {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let number = errno
            guard number == ENOENT else { throw CaptureInputError(file: path, errno: number) }
            if path.hasPrefix("/dev/") { throw CaptureInputError(errno: number, subject: path) }
            throw CaptureInputError(
                .notFound, subject: path, reason: "no such file, folder or device",
                remedy: "sources are auto, test, a device, a .y4m file, a folder of images, or -")
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return ImageFolderInput(path: path, pace: options.pace, loops: options.loops)
        case S_IFCHR: return V4L2Input(devicePath: path, format: options.cameraFormat)
        default: return Y4MInput(path: path, pace: options.pace, loops: options.loops)
        }
    }
}
