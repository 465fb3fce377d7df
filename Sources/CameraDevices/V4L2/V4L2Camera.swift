import CameraCapture
import CameraMedia
import CameraProtocol
import Synchronization

/// Keeps a camera running on a thread of its own, through its faults, until it is stopped.
final class V4L2Camera: Sendable {
    /// From one attempt to reopen a camera to the next.
    private static let reopenInterval: UInt64 = 500_000_000

    private let path: String
    private let request: V4L2FormatRequest?
    private let configuration: CaptureConfiguration
    private let port: CaptureInputPort
    private let wake: EventDescriptor
    private let isStopped = Atomic(false)
    private let opening = Opening()

    init(
        path: String, request: V4L2FormatRequest?, configuration: CaptureConfiguration, port: CaptureInputPort
    ) throws(CaptureInputError) {
        self.path = path
        self.request = request
        self.configuration = configuration
        self.port = port
        wake = try EventDescriptor(subject: path)
    }

    /// Waits until the camera was opened for the first time.
    ///
    /// - Throws: Why it cannot be; ``run()`` has returned then.
    func waitUntilOpen() throws(CaptureInputError) {
        try opening.wait()
    }

    /// Ends ``run()``; the port must be closed.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wake.signal()
    }

    /// Opens the camera and delivers until it is stopped.
    func run() {
        var current: V4L2Stream?
        do throws(CaptureInputError) {
            let stream = try open()
            announce(stream)
            current = stream
            opening.finish(nil)
        } catch {
            opening.finish(error)
            return
        }
        while let stream = current.take() {
            guard let fault = stream.run(port: port, isStopped: { isStopped.load(ordering: .relaxed) }) else { return }
            let drops = stream.pendingDrops
            stream.close()
            port.deliver(
                .state(
                    CaptureState(
                        .interrupted, reason: fault.reason, text: "\(path): \(fault.text); waiting for it", drops: drops
                    ))
            )
            current = reopen()
            if let current { announce(current) }
        }
    }

    private func open() throws(CaptureInputError) -> V4L2Stream {
        try V4L2Stream(path: path, request: request, configuration: configuration, wake: wake)
    }

    private func announce(_ stream: V4L2Stream) {
        port.deliver(.format(stream.format.captureFormat))
        port.deliver(.state(CaptureState(.running)))
    }

    /// Tries until the camera is back.
    ///
    /// - Returns: `nil` after a stop.
    private func reopen() -> V4L2Stream? {
        while port.wait(until: HostTime.now().advanced(by: Self.reopenInterval)) {
            if let stream = try? open() { return stream }
        }
        return nil
    }
}
