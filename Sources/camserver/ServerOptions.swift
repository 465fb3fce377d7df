import CameraCapture
import CameraDevices
import CameraProtocol
import CameraServer

/// What the command line of `camserver` says.
struct ServerOptions: Sendable {
    enum LogFormat: String, Sendable, CaseIterable {
        case text, json
    }

    var port: UInt16?
    var hosts: [String] = []
    var socketPath: String?
    var maximumClientCount: Int?

    var sources: [SourceSpecification] = []
    var pace = FilePace.realTime
    var loops = false
    var inputFormats: [Scoped<V4L2FormatRequest>] = []

    var preset = SessionPreset.high
    var frameRate: FrameRate?
    var quality: UInt8?

    var logLevel = LogLevel.info
    var logFormat = LogFormat.text

    var listsDevices = false
    var formatsSource: SourceSpecification?
    var listsPresets = false
    var asJSON = false
}

/// A value for one camera, or for all.
struct Scoped<Value: Sendable>: Sendable {
    /// `nil`: all cameras.
    let camera: String?
    let value: Value
}

extension LogLevel {
    var name: String {
        switch self {
        case .error: "error"
        case .info: "info"
        case .debug: "debug"
        }
    }
}

extension FilePace {
    var name: String {
        switch self {
        case .realTime: "realtime"
        case .demand: "demand"
        }
    }
}
