import CameraClient

/// Receives frames and does with them what the options say.
struct FrameRun: Sendable {
    private let options: ClientOptions
    private let camera: RemoteCamera
    private let saver: FrameSaver?
    private let output: FrameOutput?
    private let log: FrameLog?
    private let reporter: Reporter

    /// Opens what is written to, then begins to connect.
    init(server: Endpoint, options: ClientOptions) throws {
        self.options = options
        saver =
            options.saves
            ? try FrameSaver(
                directory: options.directory ?? "frames", format: options.format ?? .received,
                quality: options.quality.map(Int.init) ?? 90, keep: options.keep)
            : nil
        output = try options.output.map { path in
            try FrameOutput(
                path: path, format: options.outputFormat ?? .y4m, quality: options.quality.map(Int.init) ?? 90)
        }
        log = options.json ? FrameLog() : nil
        reporter = Reporter(options: options, server: server, directory: saver?.directory)
        camera = try RemoteCamera(
            server, camera: options.camera, request: options.request, options: options.cameraOptions)
    }

    /// Runs until the count, the duration or the source is at its end.
    func run() async throws {
        let states = Task { [camera, reporter] in
            for await state in camera.states { reporter.changed(to: state) }
        }
        defer {
            states.cancel()
            camera.close()
        }
        reporter.start()
        do {
            try await receive()
            reporter.finish(withSummary: true)
        } catch {
            // What went wrong is all that the user should read.
            reporter.finish(withSummary: error is CancellationError)
            throw error
        }
    }

    private func receive() async throws {
        var book = DropBook()
        var deliveredCount = 0
        var keptCount = 0
        var end: HostTime?
        while keptCount < options.count ?? .max, let frame = try await next(before: end) {
            if let duration = options.duration, end == nil { end = HostTime.now().advanced(by: duration.nanoseconds) }
            defer { deliveredCount += 1 }
            let age = HostTime.now().nanoseconds(since: frame.presentationTime)
            reporter.delivered(frame, age: age)
            guard deliveredCount % options.every == 0 else {
                book.discard(carrying: frame.drops, reason: .rateCap)
                continue
            }
            var kept = frame
            kept.drops = book.drops(ofEpoch: frame.epoch, carrying: frame.drops)
            switch try await keep(kept, age: age) {
            case .written:
                book.pass(epoch: frame.epoch, carrying: frame.drops)
                keptCount += 1
                reporter.kept()
            case .undecodable: book.discard(carrying: frame.drops, reason: .corrupt)
            case .readerIsGone: return
            }
        }
    }

    /// Saves, writes and logs a frame.
    private func keep(_ frame: SampleBuffer, age: UInt64) async throws -> FrameOutput.Outcome {
        let path: String?
        do {
            path = try await saver?.save(frame)
        } catch let error as FrameSavingError where error.kind == .undecodable {
            return .undecodable
        }
        if let output {
            let outcome = try await output.write(frame)
            guard case .written = outcome else { return outcome }
        }
        guard let log else { return .written }
        return try await log.write(frame, age: age, path: path) ? .written : .readerIsGone
    }

    /// The next frame; `nil` at the end of the source or of the time.
    private func next(before end: HostTime?) async throws -> SampleBuffer? {
        var timeout = options.timeout
        if let end {
            let rest = end.nanoseconds(since: .now())
            guard rest > 0 else { return nil }
            let limit = Duration.nanoseconds(Int64(clamping: rest))
            timeout = min(timeout ?? limit, limit)
        }
        do {
            return try await camera.nextSample(timeout: timeout)
        } catch let error as RemoteCameraError {
            switch error.code {
            case .timedOut where end.map({ HostTime.now() >= $0 }) == true: return nil
            case .ended where error.endReason == .endOfFile: return nil
            default: throw error
            }
        }
    }
}
