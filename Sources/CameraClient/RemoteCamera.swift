import CameraMedia
public import CameraProtocol
public import CameraTransport
import Synchronization

/// A camera of a server, reached over the network.
///
///     let camera = try await RemoteCamera("10.0.0.7:9000", preset: .vga640x480)
///     for try await frame in camera.frames { detect(frame.pixelBuffer) }       // always the newest
///
/// It connects when it is made and keeps at it: a server that is not there yet, or goes away, is tried again, unless
/// the options say otherwise. Frames are waited for with ``frames``, ``next(timeout:)`` or ``snapshot(after:timeout:)``,
/// or looked at with ``latest()``. A consumer that is slower than the stream gets the newest frame each time it asks,
/// and the server encodes none for nothing.
///
/// May be used from any thread, and ends with its last reference. All cameras of a process share one thread for their
/// connections and as many decoder threads as the machine has cores.
public final class RemoteCamera: Sendable {
    let core: RemoteCameraCore

    /// Begins to connect to a camera; waits for nothing.
    ///
    /// - Parameters:
    ///   - endpoint: Where the server is.
    ///   - camera: The camera's name; empty: the server's first.
    ///   - request: What is wanted of the stream.
    ///   - options: How this side behaves.
    /// - Throws: ``SocketError`` if the process has no descriptors left.
    public init(
        _ endpoint: Endpoint, camera: String = "", request: StreamRequest,
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) throws {
        core = RemoteCameraCore(
            loop: try EventLoop.shared(), endpoint: endpoint, camera: camera, request: request, options: options)
        core.post { $0.connect() }
    }

    /// Begins to connect to a camera of the server at `HOST[:PORT]`, `[V6][:PORT]` or `unix:PATH`; waits for nothing.
    ///
    /// - Parameters: As for an endpoint.
    /// - Throws: ``RemoteCameraError`` if the address is none of these, ``SocketError`` if the process has no
    ///   descriptors left.
    public convenience init(
        _ address: String, camera: String = "", request: StreamRequest,
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) throws {
        try self.init(try Endpoint(address: address), camera: camera, request: request, options: options)
    }

    /// Connects to a camera, and returns when the server granted the stream or the first attempt failed.
    ///
    /// A server that is not there yet is no error: the camera goes on trying, and ``state`` says so. Neither is one that
    /// takes longer than ``RemoteCameraOptions/connectionTimeLimit``.
    ///
    /// - Parameters:
    ///   - endpoint: Where the server is.
    ///   - camera: The camera's name; empty: the server's first.
    ///   - preset: An upper bound of the size and a default quality; `nil`: the server's.
    ///   - frameRate: The most frames a second; `nil`: as captured.
    ///   - codecs: The codecs that will do.
    ///   - quality: 0 to 100 on the codec's own scale; `nil`: the preset's.
    ///   - crop: The part of the captured picture to send, in its pixels; `nil`: all of it.
    ///   - options: How this side behaves.
    /// - Throws: ``RemoteCameraError`` if trying again is no use: the host or the camera does not exist, the server
    ///   refuses the request or speaks another protocol; with ``RemoteCameraOptions/reconnects`` false, whatever goes
    ///   wrong. `CancellationError` if the task is cancelled. ``SocketError`` if the process has no descriptors left.
    public convenience init(
        _ endpoint: Endpoint, camera: String = "", preset: SessionPreset? = nil, frameRate: FrameRate? = nil,
        codecs: CodecChoice = .automatic, quality: UInt8? = nil, crop: PixelRectangle? = nil,
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) async throws {
        try self.init(
            endpoint, camera: camera,
            request: StreamRequest(
                preset: preset, crop: crop, frameRateCap: frameRate, codecs: codecs, quality: quality),
            options: options)
        try await core.firstOutcome(within: options.connectionTimeLimit)
    }

    /// Connects to a camera of the server at `HOST[:PORT]`, `[V6][:PORT]` or `unix:PATH`, and returns when the server
    /// granted the stream or the first attempt failed.
    ///
    /// - Parameters: As for an endpoint.
    /// - Throws: As for an endpoint; ``RemoteCameraError/Code/unknownHost`` if the address is none of these.
    public convenience init(
        _ address: String, camera: String = "", preset: SessionPreset? = nil, frameRate: FrameRate? = nil,
        codecs: CodecChoice = .automatic, quality: UInt8? = nil, crop: PixelRectangle? = nil,
        options: RemoteCameraOptions = RemoteCameraOptions()
    ) async throws {
        try await self.init(
            try Endpoint(address: address), camera: camera, preset: preset, frameRate: frameRate, codecs: codecs,
            quality: quality, crop: crop, options: options)
    }

    deinit {
        core.post { $0.close() }
    }

    /// Where the server is.
    public var endpoint: Endpoint { core.endpoint }

    /// Says goodbye to the server and frees all but the frames handed out; whoever waits gets
    /// ``RemoteCameraError/Code/closed``. Returns at once, and does nothing the second time.
    public func close() {
        core.post { $0.close() }
    }

    // MARK: - How it goes

    /// What the camera is doing.
    public var state: RemoteCameraState { core.states.current }

    /// The current state and all that follow, until the camera ends.
    ///
    /// Each call makes a sequence of its own. A reader that is slow misses the oldest of more than 64 states.
    public var states: AsyncStream<RemoteCameraState> { core.states.listen() }

    /// What was counted so far.
    public var statistics: RemoteCameraStatistics { core.counted.withLock { $0 } }

    // MARK: - Changes

    /// What is asked of the server at the moment.
    public var request: StreamRequest { core.wanted.withLock { $0 } }

    /// Changes what is asked of the server (preset, rate, codecs, quality, crop) now and for later connections, and waits
    /// for what the server makes of it:
    ///
    ///     try await camera.update { $0.quality = 50 }
    ///
    /// The delivery mode stays as it was. Without a connection the change is asked for when there is one.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait at most; `nil`: until the camera ends.
    ///   - change: Changes the request; called once, at once.
    /// - Returns: What the server sends from now on.
    /// - Throws: ``RemoteCameraError``: ``RemoteCameraError/Code/refused`` if the server cannot do that, and then all is as
    ///   before; when the camera ended; or when the time is over. `CancellationError` if the task is cancelled. In the
    ///   last two cases the change is still asked for.
    @discardableResult
    public func update(
        timeout: Duration? = nil, _ change: (inout StreamRequest) -> Void
    ) async throws -> Subscribed {
        try await core.update(timeout: timeout, change)
    }

    /// Frames that are certainly older are dropped (`lateData`); `nil`: handed out however old they are.
    ///
    /// ``RemoteCameraOptions/maximumAge`` unless set; counts from the next frame on.
    public var maximumAge: Duration? {
        get { core.maximumAge.withLock { $0 } }
        set {
            core.maximumAge.withLock { [core] limit in
                limit = newValue
                core.post { $0.setMaximumAge(newValue) }
            }
        }
    }

    // MARK: - The server

    /// The server's cameras as it listed them when the connection was made; empty before.
    public func cameras() async -> [CameraDescription] { await core.cameras ?? [] }

    /// Asks a server for its cameras, on a connection of its own.
    ///
    /// - Parameters:
    ///   - endpoint: Where the server is.
    ///   - timeout: How long to wait at most; `nil`: as long as it takes to find that no server answers.
    /// - Throws: ``RemoteCameraError`` if the server cannot be reached, or does not answer in time; `CancellationError` if
    ///   the task is cancelled.
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
}

extension Endpoint {
    /// Reads an address that a program was given.
    init(address: String) throws(RemoteCameraError) {
        guard let endpoint = Endpoint(parsing: address) else {
            throw RemoteCameraError(
                .unknownHost, subject: address.printable, reason: "not an address: HOST[:PORT] or unix:PATH is one")
        }
        self = endpoint
    }
}
