public import CameraCapture
public import CameraProtocol

/// A folder of WebP, JPEG and PNG files, one frame each, in the order of their names.
///
/// JPEG files are delivered as they are. A file that cannot be decoded is counted as `corrupt`; one of another size or
/// kind begins a new epoch. Otherwise it plays like a ``Y4MInput``; the folder is listed anew each time it plays.
public final class ImageFolderInput: CaptureInput {
    /// What a person calls it.
    public let localizedName: String

    private let path: String
    private let frameRate: FrameRate?
    private let pace: FilePace
    private let loops: Bool
    private let run = SourceRun()

    /// Creates an input; the folder is opened when the session starts.
    ///
    /// - Parameters:
    ///   - path: The folder; folders within are passed over, as are hidden files and other endings than `webp`, `jpg`,
    ///     `jpeg` and `png`.
    ///   - frameRate: How many images make a second; `nil`: the session's rate, or 30.
    ///   - pace: How fast it plays.
    ///   - loops: Whether it begins again after the last image, without a gap.
    public init(path: String, frameRate: FrameRate? = nil, pace: FilePace = .realTime, loops: Bool = false) {
        self.path = path
        self.frameRate = frameRate
        self.pace = pace
        self.loops = loops
        localizedName = path
    }

    /// Lists the folder and decodes its first image.
    ///
    /// - Throws: ``CaptureInputError`` if it cannot be listed, or has no image that can be decoded.
    public func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        let source = ImageFolderSource(path: path, frameRate: frameRate ?? configuration.frameRate ?? .thirty)
        let player = try FilePlayer(source: source, pace: pace, loops: loops, port: port, subject: path)
        try run.start(player, name: "image folder")
    }

    /// Ends the delivery.
    public func stop() {
        run.stop()
    }
}
