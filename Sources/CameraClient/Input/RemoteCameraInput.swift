public import CameraCapture
public import CameraProtocol
public import CameraTransport
import Synchronization

/// A remote camera as the input of a capture session.
///
///     let session = CaptureSession()
///     session.addInput(try RemoteCameraInput("10.0.0.7:9000"))
///
/// The session's preset and frame rate become the request's; a `VideoDataOutput` decodes the frames that come, other
/// outputs get them as received. While the connection is broken, or the server's camera delivers nothing, the session
/// is interrupted; it goes on by itself when frames come again. While no output wants frames none are asked for.
///
/// May be used from any thread. To use the camera without a session there is ``RemoteCamera``.
public final class RemoteCameraInput: CaptureInput {
    /// Where the server is.
    public let endpoint: Endpoint
    /// The camera's name; empty: the server's first.
    public let camera: String
    private let request: StreamRequest
    private let options: RemoteCameraOptions
    private let run = Mutex<RemoteCameraRun?>(nil)

    /// Describes a remote camera; the connection is made when the session starts.
    ///
    /// - Parameters:
    ///   - endpoint: Where the server is.
    ///   - camera: The camera's name; empty: the server's first.
    ///   - request: What is wanted of the stream, but for the preset and the frame rate, which are the session's.
    ///   - options: How this side behaves; ``RemoteCameraOptions/content`` is without effect.
    public init(
        _ endpoint: Endpoint, camera: String = "", request: StreamRequest = StreamRequest(),
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) {
        self.endpoint = endpoint
        self.camera = camera
        self.request = request
        self.options = options
    }

    /// Describes a camera of the server at `HOST[:PORT]`, `[V6][:PORT]` or `unix:PATH`.
    ///
    /// - Parameters: As for an endpoint.
    /// - Throws: ``RemoteCameraError/Code/unknownHost`` if the address is none of these.
    public convenience init(
        _ address: String, camera: String = "", request: StreamRequest = StreamRequest(),
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) throws(RemoteCameraError) {
        self.init(try Endpoint(address: address), camera: camera, request: request, options: options)
    }

    /// The camera's name and the server's address.
    public var localizedName: String { camera.isEmpty ? "\(endpoint)" : "\(camera) (\(endpoint))" }

    /// What was counted since the session started; `nil` unless it runs.
    public var statistics: RemoteCameraStatistics? { run.withLock { $0?.statistics } }

    /// Called by the session: connects, and returns when the server granted the stream or the first attempt failed.
    ///
    /// A server that is not there yet is an interruption, not an error.
    /// - Throws: As the initializer of a ``RemoteCamera`` that waits.
    public func start(_ configuration: CaptureConfiguration, port: CaptureInputPort) throws {
        var request = request
        request.preset = configuration.preset
        if let frameRate = configuration.frameRate { request.frameRateCap = frameRate }
        var options = options
        options.content = .encoded
        let run = RemoteCameraRun(
            loop: try EventLoop.shared(), endpoint: endpoint, camera: camera, request: request, options: options,
            port: port)
        try run.start()
        self.run.withLock { $0 = run }
    }

    /// Called by the session.
    public func stop() {
        let run = run.withLock { run in
            defer { run = nil }
            return run
        }
        run?.stop()
    }
}
