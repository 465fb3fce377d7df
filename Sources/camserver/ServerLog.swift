import CameraServer
import CommandLineOptions
import Foundation

/// Writes the log to standard error.
struct ServerLog: Sendable {
    private struct Line: Encodable {
        let time: String
        let level: String
        let message: String
    }

    let level: LogLevel
    let format: ServerOptions.LogFormat

    var handler: LogHandler {
        { [self] level, message in write(level, message) }
    }

    func write(_ level: LogLevel, _ message: String) {
        guard level <= self.level else { return }
        emit(level, message)
    }

    /// Writes what a program that started us may wait for, whatever the level.
    func announce(_ message: String) {
        emit(.info, message)
    }

    private func emit(_ level: LogLevel, _ message: String) {
        switch format {
        case .text: StandardStream.error.writeLine("camserver: \(message)")
        case .json:
            let line = Line(time: Date().formatted(.iso8601), level: level.name, message: message)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(line) else { return }
            StandardStream.error.writeLine(String(decoding: data, as: UTF8.self))
        }
    }
}
