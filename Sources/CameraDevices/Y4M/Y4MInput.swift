public import CameraCapture

/// A YUV4MPEG2 file or stream.
///
/// It plays from the start when the first consumer comes, in real time or as fast as the frames are taken, and again in
/// a new epoch for the next consumer after the end. Standard input and pipes are read once: their header as soon as it
/// comes, so that the format is known and another stream is refused early, frames from the first consumer on.
public final class Y4MInput: CaptureInput {
    /// What a person calls it.
    public let localizedName: String

    private let path: String
    private let pace: FilePace
    private let loops: Bool
    private let run = SourceRun()

    /// Creates an input; the file is opened when the session starts.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - pace: How fast it plays.
    ///   - loops: Whether it begins again after its end, without a gap; of no meaning for standard input.
    public init(path: String, pace: FilePace = .realTime, loops: Bool = false) {
        self.path = path
        self.pace = pace
        self.loops = loops
        localizedName = path == "-" ? "standard input" : path
    }

    /// Opens the file and reads its header; that of a pipe is not waited for: what is wrong with it ends the input.
    ///
    /// - Throws: ``CaptureInputError`` if it cannot be opened, or is no YUV4MPEG2 file in 8 bits.
    public func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        let source = Y4MSource(path: path, name: localizedName)
        let player = try FilePlayer(source: source, pace: pace, loops: loops, port: port, subject: localizedName)
        try run.start(player, name: "Y4M")
    }

    /// Ends the delivery.
    public func stop() {
        run.stop()
    }
}
