import CameraCapture
import Synchronization

/// What an input does on a thread of its own from its start to its stop.
protocol RunningSource: Sendable {
    /// Opens the source and delivers until it is stopped.
    func run()
    /// Waits until the source was opened for the first time.
    ///
    /// - Throws: Why it cannot be; ``run()`` has returned then.
    func waitUntilOpen() throws(CaptureInputError)
    /// Ends ``run()``; the port must be closed.
    func stop()
}

/// The thread of an input, at most one at a time. May be used from any thread.
final class SourceRun: Sendable {
    private struct Running {
        let source: any RunningSource
        let thread: CaptureThread
    }

    private let running = Mutex<Running?>(nil)

    /// Starts a thread and waits until the source is open.
    ///
    /// - Parameters:
    ///   - source: What to run.
    ///   - name: The thread's, of at most 15 bytes.
    /// - Throws: Why the source cannot be opened.
    func start(_ source: any RunningSource, name: String) throws(CaptureInputError) {
        let thread = CaptureThread(name: name) { source.run() }
        try source.waitUntilOpen()
        running.withLock { $0 = Running(source: source, thread: thread) }
    }

    /// Ends the source and waits for its thread.
    func stop() {
        guard let running = running.withLock({ $0.take() }) else { return }
        running.source.stop()
        running.thread.join()
    }
}
