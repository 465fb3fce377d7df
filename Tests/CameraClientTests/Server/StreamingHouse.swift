import CameraCapture
import CameraClient
import CameraServer

/// A real server with one camera on the loopback interface.
struct StreamingHouse {
    let session = CaptureSession()
    let server: CameraServer
    let endpoint: Endpoint

    /// Serves an input on a free port, or on the one given.
    init(_ input: some CaptureInput, preset: SessionPreset = .inputPriority, port: UInt16 = 0) throws {
        server = try CameraServer(CameraServer.Configuration(preset: preset))
        session.sessionPreset = preset
        session.addInput(input)
        session.addOutput(try server.addCamera(name: "camera", localizedName: "Camera"))
        try session.start()
        let addresses = try server.listen(on: ["127.0.0.1"], port: port)
        guard let endpoint = addresses.first.flatMap({ Endpoint(parsing: $0) }) else { throw CancellationError() }
        self.endpoint = endpoint
    }

    func close() {
        server.stop()
        session.stopRunning()
    }
}

extension [SampleBuffer] {
    /// Whether every gap within an epoch equals the drops reported, and the first frames carry none.
    var gapsEqualDrops: Bool {
        var last: SampleBuffer?
        for sample in self {
            defer { last = sample }
            let gap = last.map { $0.epoch == sample.epoch ? sample.sequence - $0.sequence - 1 : 0 } ?? 0
            guard sample.drops.total == gap else { return false }
        }
        return true
    }
}
