public import CameraCapture
import CameraMedia
public import CameraProtocol
public import CameraTransport
import Foundation

/// Streams cameras over TCP and socket files to any number of clients.
///
/// Add cameras, then listen:
///
///     let server = try CameraServer()
///     session.addOutput(try server.addCamera(name: "camera", localizedName: "Front door"))
///     try server.listen(port: 9000)
///
/// May be used from any thread.
public final class CameraServer: Sendable {
    /// What holds for all of a server's cameras and clients.
    public struct Configuration: Sendable {
        /// The name that clients see.
        public var name: String
        /// The largest size and the default quality of streams.
        public var preset: SessionPreset
        /// The most frames a second; `nil`: as captured.
        public var frameRate: FrameRate?
        /// The quality of streams whose client names none, 0 to 100; `nil`: the preset's.
        public var quality: UInt8?
        /// The most clients at a time; more are told that the server is full.
        public var maximumClientCount: Int
        /// How long a connection may stand still before it is closed.
        public var stallLimit: Duration
        /// Takes the log.
        public var log: LogHandler

        /// Creates a configuration.
        public init(
            name: String = "camserver", preset: SessionPreset = .high, frameRate: FrameRate? = nil,
            quality: UInt8? = nil, maximumClientCount: Int = 256, stallLimit: Duration = .seconds(60),
            log: @escaping LogHandler = { _, _ in }
        ) {
            self.name = name
            self.preset = preset
            self.frameRate = frameRate
            self.quality = quality
            self.maximumClientCount = maximumClientCount
            self.stallLimit = stallLimit
            self.log = log
        }
    }

    private let core: ServerCore

    /// Creates a server that does not listen yet.
    ///
    /// - Throws: ``SocketError`` when descriptors are out.
    public init(_ configuration: Configuration = Configuration()) throws {
        core = ServerCore(loop: try EventLoop.shared(), configuration: configuration)
    }

    deinit {
        core.stop(within: .zero, completion: {})
    }

    /// Adds a camera.
    ///
    /// - Parameters:
    ///   - name: What clients subscribe to: letters, digits, `-` and `_`.
    ///   - localizedName: What a person calls it.
    /// - Returns: The output that belongs into the camera's capture session.
    /// - Throws: ``CameraServerError``
    public func addCamera(name: String, localizedName: String) throws -> StreamOutput {
        try core.onLoop { core throws(CameraServerError) in
            try core.addCamera(name: name, localizedName: localizedName)
        }
    }

    /// Listens on a TCP port.
    ///
    /// - Parameters:
    ///   - hosts: Names or addresses of this machine; empty: all interfaces, IPv6 and IPv4.
    ///   - port: The port; 0 takes one that is free.
    /// - Returns: The addresses with their port, as `127.0.0.1:9000` or `[::1]:9000`.
    /// - Throws: ``SocketError``, the port being taken for instance.
    @discardableResult
    public func listen(on hosts: [String] = [], port: UInt16 = Limits.defaultPort) throws(SocketError) -> [String] {
        let sockets = try ListenAddress.listen(on: hosts, port: port)
        try core.onLoop { core throws(SocketError) in try core.listen(on: sockets, path: nil) }
        return sockets.compactMap { $0.localAddress.map { "\($0)" } }
    }

    /// Listens on a socket file, which is removed when the server stops.
    ///
    /// - Throws: ``SocketError``: another server answers there, or the file cannot be made.
    public func listen(onPath path: String) throws(SocketError) {
        let socket = try ListenAddress.listen(onPath: path)
        try core.onLoop { core throws(SocketError) in try core.listen(on: [socket], path: path) }
    }

    /// The state of a camera whose source ended, once all its clients have got the last frame.
    ///
    /// - Parameter handler: Called on the server's thread with the camera's name.
    public func onCameraEnded(_ handler: @escaping @Sendable (String, CaptureState) -> Void) {
        core.loop.execute { [core] in core.assumeIsolated { $0.cameraEnded = handler } }
    }

    /// What the server has done so far.
    public var statistics: ServerStatistics {
        core.onLoop { core in core.statistics }
    }

    /// Stops listening, sends what waits, says bye and closes; returns when that is done, at once if nobody is there.
    ///
    /// Not to be called from the server's own callbacks.
    /// - Parameter limit: How long clients may take to read what waits for them.
    public func stop(within limit: Duration = .seconds(2)) {
        let done = DispatchSemaphore(value: 0)
        core.stop(within: limit) { done.signal() }
        done.wait()
    }
}

/// What a server has done.
public struct ServerStatistics: Sendable, Hashable {
    /// Clients at present.
    public var clientCount = 0
    /// Streams at present.
    public var streamCount = 0
    /// Frames that were encoded.
    public var encodedFrameCount: UInt64 = 0
    /// Frames that were handed to a connection, one for each receiver.
    public var sentFrameCount: UInt64 = 0
}

/// Why a camera cannot be added.
public enum CameraServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name is empty, too long, or has other characters than letters, digits, `-` and `_`.
    case invalidName(String)
    /// Another camera has the name.
    case nameTaken(String)
    /// The server has ``Limits/cameraCount`` cameras.
    case tooManyCameras

    /// For a person.
    public var description: String {
        switch self {
        case .invalidName(let name): "\(name): not a camera's name; use letters, digits, '-' and '_'"
        case .nameTaken(let name): "\(name): two cameras have this name; give one another"
        case .tooManyCameras: "a server has at most \(Limits.cameraCount) cameras"
        }
    }
}
