import CameraCapture
import CameraDevices
import CameraProtocol
import CameraServer
import CommandLineOptions
import Foundation

/// What `camserver` does with its options.
struct ServerProgram {
    private struct Camera {
        let name: String
        let source: SourceSpecification
        let session: CaptureSession
    }

    private let options: ServerOptions
    private let log: ServerLog

    init(_ options: ServerOptions) {
        self.options = options
        log = ServerLog(level: options.logLevel, format: options.logFormat)
    }

    /// Runs until a signal, or until the last source has ended for good.
    func run() throws(RuntimeFailure) -> ExitCode {
        if try printListings() { return .success }
        let ending = Ending()
        let signals = TerminationSignals { ending.set(.signal) }
        return try withExtendedLifetime(signals) { () throws(RuntimeFailure) in try serve(until: ending) }
    }

    private func printListings() throws(RuntimeFailure) -> Bool {
        if options.listsDevices { Listings.printDevices(asJSON: options.asJSON) }
        if let source = options.formatsSource { try Listings.printFormats(of: source, asJSON: options.asJSON) }
        if options.listsPresets { Listings.printPresets(asJSON: options.asJSON) }
        return options.listsDevices || options.formatsSource != nil || options.listsPresets
    }

    private func serve(until ending: Ending) throws(RuntimeFailure) -> ExitCode {
        let descriptorLimit = DescriptorLimit.raise()
        let server: CameraServer
        do {
            server = try CameraServer(
                CameraServer.Configuration(
                    preset: options.preset, frameRate: options.frameRate, quality: options.quality,
                    maximumClientCount: options.maximumClientCount ?? max(descriptorLimit - 64, 1), log: log.handler))
        } catch {
            throw RuntimeFailure(
                subject: "server", reason: "\(error)", remedy: "raise the limit of open files", exitCode: .unavailable)
        }
        let cameras = try addCameras(to: server)
        defer { for camera in cameras { camera.session.stopRunning() } }
        watchForTheEnd(of: cameras, on: server, ending)
        for camera in cameras { try start(camera) }
        try listen(server)
        switch ending.wait() {
        case .signal:
            server.stop()
            return .success
        case .sourcesEnded(let reason):
            // Whoever is slow may still read what was sent to it.
            server.stop(within: .seconds(60))
            return reason == .endOfFile ? .success : .dataError
        }
    }

    // MARK: - Cameras

    private func addCameras(to server: CameraServer) throws(RuntimeFailure) -> [Camera] {
        let sources = options.sources.isEmpty ? [SourceSpecification(kind: .automatic)] : options.sources
        var cameras: [Camera] = []
        let names = Self.names(of: sources)
        for (name, source) in zip(names, sources) {
            let format =
                options.inputFormats.last { $0.camera == name } ?? options.inputFormats.last { $0.camera == nil }
            let session = CaptureSession()
            session.sessionPreset = options.preset
            session.frameRate = options.frameRate
            do {
                let input = try source.makeInput(
                    SourceOptions(pace: options.pace, loops: options.loops, cameraFormat: format?.value))
                if source.kind == .automatic, input is TestPatternInput {
                    log.write(.info, "no camera found; streaming the test pattern instead")
                }
                session.addInput(input)
                session.addOutput(try server.addCamera(name: name, localizedName: input.localizedName))
            } catch {
                throw RuntimeFailure(error, subject: name)
            }
            cameras.append(Camera(name: name, source: source, session: session))
        }
        if let scope = options.inputFormats.compactMap(\.camera).first(where: { name in
            !cameras.contains { $0.name == name }
        }) {
            throw RuntimeFailure(
                subject: scope, reason: "no camera has this name",
                remedy: "the cameras are: \(cameras.map(\.name).joined(separator: ", "))", exitCode: .noInput)
        }
        return cameras
    }

    /// The names given, and `camera`, or `camera0`, `camera1`, … for the others.
    private static func names(of sources: [SourceSpecification]) -> [String] {
        if sources.count == 1 { return [sources[0].name ?? "camera"] }
        let taken = Set(sources.compactMap(\.name))
        var number = -1
        return sources.map { source in
            if let name = source.name { return name }
            repeat { number += 1 } while taken.contains("camera\(number)")
            return "camera\(number)"
        }
    }

    private func start(_ camera: Camera) throws(RuntimeFailure) {
        do {
            try camera.session.start()
        } catch {
            throw RuntimeFailure(error, subject: camera.name)
        }
    }

    /// A lone source that will never deliver again ends the program; so does one that is broken.
    private func watchForTheEnd(of cameras: [Camera], on server: CameraServer, _ ending: Ending) {
        guard cameras.count == 1 else { return }
        server.onCameraEnded { _, state in
            if state.isFinal || state.reason != .endOfFile { ending.set(.sourcesEnded(state.reason)) }
        }
    }

    // MARK: - Listening

    private func listen(_ server: CameraServer) throws(RuntimeFailure) {
        do throws(SocketError) {
            if let path = options.socketPath {
                try server.listen(onPath: path)
                log.announce("listening on unix:\(path)")
                guard options.port != nil || !options.hosts.isEmpty else { return }
            }
            let addresses = try server.listen(on: options.hosts, port: options.port ?? Limits.defaultPort)
            for address in addresses { log.announce("listening on \(address)") }
            if addresses.contains(where: { !$0.hasPrefix("127.") && !$0.hasPrefix("[::1]") }) {
                log.write(.info, "anyone who can reach this machine can look; --bind 127.0.0.1 keeps it local")
            }
        } catch {
            throw RuntimeFailure(listening: error)
        }
    }
}
