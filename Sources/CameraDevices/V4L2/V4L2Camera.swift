import CameraCapture
import CameraMedia
import CameraProtocol
import Synchronization

/// Keeps a camera running on a thread of its own, through its faults, until it is stopped.
final class V4L2Camera: RunningSource {
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
        let identity: V4L2Device.Identity
        var isInterrupted: Bool
        do throws(CaptureInputError) {
            let device = try V4L2Device(path: path)
            identity = device.identity
            isInterrupted = try play(device)
        } catch {
            opening.finish(error)
            return
        }
        while isInterrupted { isInterrupted = playAgain(identity) }
    }

    /// Delivers from an open device until it fails or is to be stopped; it is closed then, so that a camera that is
    /// plugged in again can get its number back.
    ///
    /// - Returns: Whether it was interrupted; else it was stopped.
    /// - Throws: If the device cannot be started.
    private func play(_ device: V4L2Device) throws(CaptureInputError) -> Bool {
        let stream = try V4L2Stream(device: device, request: request, configuration: configuration, wake: wake)
        defer { stream.close() }
        port.deliver(.format(stream.format.captureFormat))
        port.deliver(.state(CaptureState(.running)))
        opening.finish(nil)
        guard let fault = stream.run(port: port, isStopped: { isStopped.load(ordering: .relaxed) }) else {
            return false
        }
        // Outputs let go of the frames that wait, before the driver is to forget its buffers.
        port.deliver(
            .state(
                CaptureState(
                    .interrupted, reason: fault.reason, text: "\(path): \(fault.text)", drops: stream.pendingDrops)))
        return true
    }

    /// Tries until the camera is back, and delivers from it.
    ///
    /// - Returns: Whether it was interrupted again; else it was stopped.
    private func playAgain(_ identity: V4L2Device.Identity) -> Bool {
        while port.wait(until: HostTime.now().advanced(by: Self.reopenInterval)) {
            guard let device = find(identity) else { continue }
            do throws(CaptureInputError) { return try play(device) } catch { continue }
        }
        return false
    }

    /// The same camera again, under its own path or, as consumers may still hold buffers of the old node, another one;
    /// else one of the same model under the path.
    private func find(_ identity: V4L2Device.Identity) -> V4L2Device? {
        let device = try? V4L2Device(path: path)
        if let device, device.identity == identity { return device }
        for path in DeviceNodes.system.paths() where path != self.path {
            if let device = try? V4L2Device(path: path), device.identity == identity { return device }
        }
        return device?.identity.card == identity.card ? device : nil
    }
}
