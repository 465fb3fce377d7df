import CameraClient
import CommandLineOptions

/// Prints a server's cameras, as a table or as JSON.
struct CameraListing: Sendable {
    private struct Entry: Encodable {
        let name: String
        let localizedName: String
        let state: String
        let reason: String?
        let width: UInt32?
        let height: UInt32?
        let framesPerSecond: Double?
    }

    let server: Endpoint
    let options: ClientOptions

    /// Asks the server and prints.
    func print() async throws {
        let cameras = try await RemoteCamera.cameras(of: server, timeout: options.timeout)
        let json = options.json
        try await BlockingQueue("camclient.list").run {
            if json { try printJSON(cameras) } else { printTable(cameras) }
        }
    }

    private func printJSON(_ cameras: [CameraDescription]) throws {
        let output = JSONLines()
        for camera in cameras {
            let hasSize = camera.size.pixelCount > 0
            let entry = Entry(
                name: camera.name, localizedName: camera.localizedName, state: camera.state.name,
                reason: camera.reason == .none ? nil : camera.reason.name, width: hasSize ? camera.size.width : nil,
                height: hasSize ? camera.size.height : nil, framesPerSecond: camera.frameRate?.framesPerSecond)
            guard try output.write(entry) else { return }
        }
    }

    private func printTable(_ cameras: [CameraDescription]) {
        guard !cameras.isEmpty else {
            StandardStream.error.writeLine("\(server) has no cameras")
            return
        }
        var table = TextTable(["name", "state", "size", "fps", "description"])
        for camera in cameras {
            let state = camera.reason == .none ? camera.state.name : "\(camera.state.name) (\(camera.reason.name))"
            table.append([
                camera.name, state, camera.size.pixelCount > 0 ? "\(camera.size)" : "-",
                camera.frameRate.map { "\($0)" } ?? "-", camera.localizedName,
            ])
        }
        StandardStream.output.writeLine(table.text)
    }
}
