public import CameraMedia
public import CameraProtocol
public import CameraTransport

/// A camera of a server, reached over the network.
///
/// It connects when it is made and keeps at it: a server that is not there yet, or goes away, is tried again, unless
/// the options say otherwise. Frames come one by one from ``next(timeout:)`` or from ``frames``:
///
///     let camera = try RemoteCamera("desk.local")
///     for try await frame in camera.frames {
///         look(at: frame.imageBuffer, ageInNanoseconds: camera.age(of: frame))
///     }
///
/// May be used from any thread; ends with its last reference. Decoding happens on threads of its own.
public final class RemoteCamera: Sendable {
    private let core: RemoteCameraCore

    /// Begins to connect to a camera.
    ///
    /// - Parameters:
    ///   - endpoint: Where the server is.
    ///   - camera: The camera's name; empty: the server's first.
    ///   - request: What is wanted of the stream.
    ///   - options: How this side behaves.
    /// - Throws: ``SocketError`` if the process has no descriptors left.
    public init(
        _ endpoint: Endpoint, camera: String = "", request: StreamRequest = StreamRequest(),
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) throws {
        core = RemoteCameraCore(
            loop: try EventLoop.shared(), endpoint: endpoint, camera: camera, request: request, options: options)
        core.post { $0.connect() }
    }

    /// Begins to connect to a camera of the server at `HOST[:PORT]`, `[V6][:PORT]` or `unix:PATH`.
    ///
    /// - Throws: ``RemoteCameraError`` if the address is none of these, ``SocketError`` if the process has no
    ///   descriptors left.
    public convenience init(
        _ address: String, camera: String = "", request: StreamRequest = StreamRequest(),
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) throws {
        guard let endpoint = Endpoint(parsing: address) else {
            throw RemoteCameraError(.unknownHost, subject: address, reason: "not an address")
        }
        try self.init(endpoint, camera: camera, request: request, options: options)
    }

    deinit {
        core.post { $0.close() }
    }

    /// Where the server is.
    public var endpoint: Endpoint { core.endpoint }

    // MARK: - Frames

    /// Waits for the next frame: the newest in `latest` delivery, the next one in `ordered` delivery.
    ///
    /// The drops of two frames that follow one another in an epoch account for all that lies between them. With several
    /// tasks that wait at once, each frame goes to one of them.
    ///
    /// - Parameter timeout: How long to wait at most; `nil`: until the camera ends.
    /// - Throws: ``RemoteCameraError`` when there will be no more frames, or none came in time; `CancellationError` if
    ///   the task is cancelled.
    public func next(timeout: Duration? = nil) async throws -> SampleBuffer {
        try await core.next(timeout: timeout)
    }

    /// The frames until the source ends; throws what ``next(timeout:)`` throws, but for a file's regular end.
    public var frames: Frames { Frames(camera: self) }

    /// How old a frame is by now, in nanoseconds; its `captureTimeUncertainty` says how far off that may be.
    public func age(of frame: SampleBuffer) -> UInt64 {
        HostTime.now().nanoseconds(since: frame.captureTime.host)
    }

    /// The frames of a camera, one after the other.
    public struct Frames: AsyncSequence, Sendable {
        fileprivate let camera: RemoteCamera

        /// Waits for the frames.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let camera: RemoteCamera

            /// The next frame; `nil` once the source came to its end or the camera was closed on this side.
            public mutating func next() async throws -> SampleBuffer? {
                do {
                    return try await camera.next()
                } catch let error as RemoteCameraError
                    where error.code == .closed || error.code == .ended && error.endReason == .endOfFile
                {
                    return nil
                }
            }
        }

        /// Begins with the next frame.
        public func makeAsyncIterator() -> Iterator { Iterator(camera: camera) }
    }

    // MARK: - The rest

    /// What the camera is doing.
    public var state: RemoteCameraState { core.states.current }

    /// The current state and all that follow, until the camera ends.
    public var states: AsyncStream<RemoteCameraState> { core.states.listen() }

    /// What was counted so far.
    public func statistics() async -> RemoteCameraStatistics { await core.currentStatistics }

    /// The server's cameras as it listed them when the connection was made; empty before.
    public func cameras() async -> [CameraDescription] { await core.cameras ?? [] }

    /// Asks a server for its cameras, on a connection of its own.
    ///
    /// - Throws: ``RemoteCameraError`` if the server cannot be reached, or does not answer in time.
    public static func cameras(of endpoint: Endpoint, timeout: Duration? = nil) async throws -> [CameraDescription] {
        var options = RemoteCameraOptions()
        options.reconnects = false
        let core = RemoteCameraCore(
            loop: try EventLoop.shared(), endpoint: endpoint, camera: "", request: StreamRequest(), options: options,
            purpose: .listing)
        core.post { $0.connect() }
        defer { core.post { $0.close() } }
        do {
            _ = try await core.next(timeout: timeout)
        } catch {
            guard let cameras = await core.cameras else { throw error }
            return cameras
        }
        return []
    }

    /// Changes what is asked of the server, at once and for later connections; ``state`` shows what it grants.
    ///
    /// The delivery mode stays as it was.
    public func update(_ request: StreamRequest) {
        core.post { $0.update(request) }
    }

    /// Says goodbye to the server; whoever waits for a frame gets ``RemoteCameraError/Code/closed``.
    public func close() {
        core.post { $0.close() }
    }
}
