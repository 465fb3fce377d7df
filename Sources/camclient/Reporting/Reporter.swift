import CameraClient
import CommandLineOptions
import Dispatch
import Synchronization

/// Tells the user on standard error how things go: what happens to the connection, and how the frames arrive.
final class Reporter: Sendable {
    private enum Style: Sendable {
        case silent, lines, updatingLine
    }

    private struct State {
        var meter = FrameMeter()
        var troubles = TroubleLog()
        var ticker: Task<Void, Never>?
        var hasOpenLine = false
        var saidThatNoneCame = false
        var isFinished = false
    }

    private let server: Endpoint
    private let directory: String?
    private let reconnects: Bool
    private let style: Style
    private let queue = DispatchQueue(label: "camclient.reporter")
    private let state = Mutex(State())

    init(options: ClientOptions, server: Endpoint, directory: String?) {
        self.server = server
        self.directory = directory
        reconnects = options.reconnects
        let hasNothingToDo = !options.saves && options.output == nil && !options.json
        style =
            options.showsStatistics
            ? .lines : StandardStream.error.isTerminal ? .updatingLine : hasNothingToDo ? .lines : .silent
    }

    /// Begins to report.
    func start() {
        guard style != .silent else { return }
        let interval = style == .lines ? Duration.seconds(1) : .milliseconds(200)
        let ticker = Task { [weak self] in
            while (try? await Task.sleep(for: interval)) != nil {
                // A terminal may be stopped, and then blocks.
                self?.queue.async { [weak self] in self?.tick() }
            }
        }
        state.withLock { $0.ticker = ticker }
    }

    /// A frame was delivered, `age` nanoseconds old.
    func delivered(_ frame: SampleBuffer, age: UInt64) {
        state.withLock { $0.meter.delivered(frame, age: age, at: .now()) }
    }

    /// A frame was kept.
    func kept() {
        state.withLock { $0.meter.keptCount += 1 }
    }

    /// The connection's state changed.
    func changed(to new: RemoteCameraState) {
        let line = state.withLock { $0.troubles.line(for: new, server: server) }
        if let line { say(line) }
    }

    /// Reports no more, but for a summary if it is wanted.
    func finish(withSummary wantsSummary: Bool) {
        let summary = state.withLock { state -> String? in
            state.ticker?.cancel()
            state.ticker = nil
            state.isFinished = true
            return wantsSummary && state.meter.deliveredCount > 0 ? state.meter.summary(directory: directory) : nil
        }
        if let summary {
            say(summary)
        } else {
            endLine()
        }
    }

    /// Leaves the terminal's line for what follows.
    private func endLine() {
        let hadOpenLine = state.withLock { state in
            defer { state.hasOpenLine = false }
            return state.hasOpenLine
        }
        if hadOpenLine { StandardStream.error.write("\r\u{1b}[K") }
    }

    private func tick() {
        let text = state.withLock { state -> String? in
            guard !state.isFinished else { return nil }
            if state.meter.deliveredCount == 0, style == .lines {
                // Once is enough for a log.
                guard !state.saidThatNoneCame else { return nil }
                state.saidThatNoneCame = true
            }
            let text = state.meter.line(at: .now(), window: style == .lines ? 1_000_000_000 : 2_000_000_000)
            if style == .updatingLine { state.hasOpenLine = true }
            return text
        }
        guard let text else { return }
        switch style {
        case .silent: break
        case .lines: StandardStream.error.writeLine(text)
        case .updatingLine:
            let width = max(StandardStream.error.columns - 1, 20)
            StandardStream.error.write("\r\u{1b}[K\(text.prefix(width))")
        }
    }

    private func say(_ line: String) {
        endLine()
        StandardStream.error.writeLine("\(ClientProgram.name): \(line)")
    }
}
