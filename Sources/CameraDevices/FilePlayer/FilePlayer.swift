import CameraCapture
import CameraMedia
import CameraProtocol
import Synchronization

/// Plays a file on a thread of its own: from the start when the first consumer comes, and again for the next one after
/// the end.
final class FilePlayer: RunningSource {
    /// More than consumers hold as a rule, and an end to what those that stall can hold.
    private static let bufferLimit = 32
    /// When to try again if the machine has no memory left.
    private static let memoryWait: UInt64 = 100_000_000

    private let source: any FrameFileSource
    private let pace: FilePace
    private let loops: Bool
    private let port: CaptureInputPort
    private let interrupt: EventDescriptor
    /// One for all that is played, so that what consumers hold is bounded however often the file starts again.
    private let pool: MemoryPool
    private let opening = Opening()

    init(
        source: any FrameFileSource, pace: FilePace, loops: Bool, port: CaptureInputPort, subject: String
    ) throws(CaptureInputError) {
        self.source = source
        self.pace = pace
        self.loops = loops && source.isReplayable
        self.port = port
        interrupt = try EventDescriptor(subject: subject)
        pool = MemoryPool(limit: Self.bufferLimit) { [weak port] in port?.demandDidChange() }
    }

    /// Waits until the file was opened for the first time, unless that may take for ever.
    ///
    /// - Throws: Why it cannot be; ``run()`` has returned then.
    func waitUntilOpen() throws(CaptureInputError) {
        if !source.isSlowToOpen { try opening.wait() }
    }

    /// Ends ``run()``; the port must be closed.
    func stop() {
        interrupt.signal()
    }

    /// Plays until it is stopped.
    func run() {
        var file: (any FrameFile)?
        do throws(CaptureInputError) {
            let opened = try source.open(pool: pool, interrupt: interrupt)
            port.deliver(.format(opened.format))
            port.deliver(.state(CaptureState(.idle)))
            opening.finish(nil)
            file = opened
        } catch {
            if source.isSlowToOpen { port.deliver(.state(ended(error))) }
            opening.finish(error)
            return
        }
        var arrivals: UInt64 = 0
        while let demand = waitForNewcomer(after: arrivals) {
            arrivals = demand.arrivals
            do throws(CaptureInputError) {
                let opened =
                    if let first = file.take() { first } else { try source.open(pool: pool, interrupt: interrupt) }
                var playback = Playback(file: opened, pacing: FilePacing(pace: pace, rate: opened.format.rate))
                playback.arrivals = arrivals
                guard let end = try play(&playback) else { return }
                arrivals = playback.arrivals
                port.deliver(.state(end))
            } catch {
                port.deliver(.state(ended(error)))
            }
            if !source.isReplayable { return }
        }
    }

    /// Waits until somebody looks who did not see the last end.
    ///
    /// - Returns: `nil` after a stop.
    private func waitForNewcomer(after arrivals: UInt64) -> CaptureDemand? {
        var seen = arrivals
        return port.waitForDemand { demand in
            // An output that was removed takes its arrivals along.
            seen = min(seen, demand.arrivals)
            return demand.isWanted && demand.arrivals > seen
        }
    }

    /// One epoch's worth of a file, or several after a change of format.
    private struct Playback {
        var file: any FrameFile
        var pacing: FilePacing
        var format: CaptureFormat
        var epoch = Epoch.next()
        var sequence: UInt64 = 0
        var drops = DropCounts()
        /// Consumers that had come when the last frame went out.
        var arrivals: UInt64 = 0
        /// Whether there was a frame since the file was opened.
        var hasFrames = false

        init(file: any FrameFile, pacing: FilePacing) {
            self.file = file
            self.pacing = pacing
            format = file.format
        }
    }

    /// Plays to the end.
    ///
    /// - Returns: How it ended; `nil` after a stop.
    private func play(_ playback: inout Playback) throws(CaptureInputError) -> CaptureState? {
        port.deliver(.format(playback.format))
        port.deliver(.state(CaptureState(.running)))
        while true {
            switch next(&playback) {
            case .interrupted, nil: return nil
            case .frame(let content, let format):
                guard deliver(content, format, &playback) else { return nil }
            case .dropped(let reason):
                playback.drops.add(reason)
                playback.sequence += 1
            case .outOfBuffers:
                guard waitForBuffer() else { return nil }
            case .end(let reason, let text):
                guard reason == .endOfFile, loops, playback.hasFrames else {
                    return ended(reason, text, playback.drops)
                }
                playback.file = try source.open(pool: pool, interrupt: interrupt)
                playback.hasFrames = false
            }
        }
    }

    /// Waits until a consumer gives a buffer back, or wants something else.
    ///
    /// - Returns: Whether to go on; else it is to stop.
    private func waitForBuffer() -> Bool {
        // None is free although consumers hold fewer than they may: the machine has no memory.
        if !pool.isExhausted { return port.wait(until: HostTime.now().advanced(by: Self.memoryWait)) }
        let demand = port.demand
        return port.waitForDemand { $0 != demand || !pool.isExhausted } != nil
    }

    /// Hands a frame on when it is due.
    ///
    /// - Returns: Whether to go on.
    private func deliver(
        _ content: SampleBuffer.Content, _ format: CaptureFormat, _ playback: inout Playback
    ) -> Bool {
        guard let (due, demand) = waitForTurn(&playback.pacing) else { return false }
        if format != playback.format {
            playback.format = format
            playback.epoch = Epoch.next()
            playback.sequence = 0
            playback.drops = DropCounts()
            port.deliver(.format(format))
        }
        port.deliver(
            .sample(
                SampleBuffer(
                    content: content,
                    position: FramePosition(epoch: playback.epoch, sequence: playback.sequence),
                    captureTime: CaptureTime(at: due), capturedAt: .now(), duration: FrameDuration(format.rate),
                    drops: playback.drops)))
        playback.hasFrames = true
        playback.drops = DropCounts()
        playback.sequence += 1
        playback.arrivals = demand.arrivals
        playback.pacing.passed()
        return true
    }

    /// Waits until the next frame is due.
    ///
    /// - Returns: Its time, and the demand then; `nil` after a stop.
    private func waitForTurn(_ pacing: inout FilePacing) -> (HostTime, CaptureDemand)? {
        var demand = port.waitForDemand { _ in true }
        while let current = demand {
            switch pacing.step(for: current, now: .now()) {
            case .deliver(let due): return (due, current)
            case .wait(let deadline): demand = port.waitForDemand(until: deadline) { $0 != current }
            }
        }
        return nil
    }

    /// The end of the file, for good if it cannot be read again.
    private func ended(_ reason: StateReason, _ text: String, _ drops: DropCounts = DropCounts()) -> CaptureState {
        CaptureState(.ended, reason: reason, text: text, drops: drops, isFinal: !source.isReplayable)
    }

    /// A file that cannot be opened.
    private func ended(_ error: CaptureInputError) -> CaptureState {
        ended(error.stateReason, error.description)
    }

    /// What the file has next. While consumers hold all buffers, a frame that has its time is left out when that comes.
    ///
    /// - Returns: `nil` after a stop.
    private func next(_ playback: inout Playback) -> FrameFileResult? {
        let result = playback.file.next()
        guard case .outOfBuffers = result, !playback.pacing.isTaken(port.demand) else { return result }
        guard waitForTurn(&playback.pacing) != nil else { return nil }
        playback.pacing.passed()
        return playback.file.skip()
    }
}

extension CaptureFormat {
    /// The rate to play at.
    fileprivate var rate: FrameRate { frameRate ?? .thirty }
}
