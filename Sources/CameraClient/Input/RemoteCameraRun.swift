import CameraCapture
import CameraMedia
import CameraProtocol
import CameraTransport
import Dispatch
import Synchronization

/// A remote camera between a session's start and its stop.
///
/// A thread asks for a frame whenever an output wants one. What the connection does comes from the event loop, which is
/// not to be kept waiting by outputs: both deliver on one queue, in order.
final class RemoteCameraRun: Sendable {
    private let core: RemoteCameraCore
    private let port: CaptureInputPort
    private let isOrdered: Bool
    private let queue: DispatchQueue
    private let delivery: Delivery
    private let thread = Mutex<CaptureThread?>(nil)

    /// What is delivered, in order.
    private final class Delivery: Sendable {
        private let port: CaptureInputPort
        private let translation = Mutex(RemoteEventTranslation())

        init(port: CaptureInputPort) {
            self.port = port
        }

        /// Called on the queue.
        func deliver(_ translate: (inout RemoteEventTranslation) -> [CaptureEvent]) {
            for event in translation.withLock({ translate(&$0) }) { port.deliver(event) }
        }
    }

    init(
        loop: EventLoop, endpoint: Endpoint, camera: String, request: StreamRequest, options: RemoteCameraOptions,
        port: CaptureInputPort
    ) {
        let queue = DispatchQueue(label: "camstream.remote-camera-input")
        let delivery = Delivery(port: port)
        self.port = port
        self.queue = queue
        self.delivery = delivery
        isOrdered = request.delivery != .latest
        core = RemoteCameraCore(
            loop: loop, endpoint: endpoint, camera: camera, request: request, options: options, startsOnDemand: true
        ) { state, isDrained in
            // The end comes after the frames that were received before it.
            if case .ended = state, !isDrained { return }
            queue.async { delivery.deliver { $0.changed(to: state) } }
        }
    }

    /// What was counted so far.
    var statistics: RemoteCameraStatistics { core.counted.withLock { $0 } }

    /// Connects.
    ///
    /// - Throws: Why that is no use; all is closed then.
    func start() throws {
        core.post { $0.connect() }
        do {
            try core.blockUntilFirstOutcome(within: core.options.connectionTimeLimit)
        } catch {
            core.post { $0.close() }
            throw error
        }
        let thread = CaptureThread(name: "camstream.remote") { [port, isOrdered, self] in
            while port.waitForDemand({ $0.isWanted && (!isOrdered || $0.isOrderedReady) }) != nil {
                guard deliverNext() else { return }
            }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Asks for a frame and waits until it was delivered.
    ///
    /// - Returns: Whether there will be more.
    private func deliverNext() -> Bool {
        let delivered = PendingReply<Void>()
        core.next { [queue, delivery] result in
            queue.async {
                switch result {
                case .success(let sample):
                    if let sample { delivery.deliver { $0.received(sample) } }
                    delivered.resume(with: .success(()))
                case .failure(let error):
                    if let error = error as? RemoteCameraError {
                        delivery.deliver { $0.changed(to: .ended(error)) }
                    }
                    delivered.resume(with: .failure(error))
                }
            }
        }
        return (try? delivered.wait().get()) != nil
    }

    /// Closes the connection; returns when the thread is done.
    func stop() {
        core.post { $0.close() }
        thread.withLock { $0 }?.join()
    }
}
