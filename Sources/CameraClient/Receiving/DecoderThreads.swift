import CameraCapture
import Dispatch
import Foundation
import Synchronization

/// The threads that decode images, as many as the machine has cores, for all remote cameras of the process.
///
/// They start with the first image and stay. Work is done in the order of its arrival; a camera that decodes one image
/// at a time, as they do in `latest` delivery, so has its turn among the others.
final class DecoderThreads: Sendable {
    /// The process's threads.
    static let shared = DecoderThreads(count: max(1, ProcessInfo.processInfo.activeProcessorCount))

    /// How many images are decoded at once.
    let count: Int
    private let work = Mutex<[@Sendable () -> Void]>([])
    private let isAvailable = DispatchSemaphore(value: 0)

    private init(count: Int) {
        self.count = count
        for _ in 0..<count { _ = CaptureThread(name: "camstream.decode") { [self] in run() } }
    }

    /// Runs `body` on one of the threads.
    func execute(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        isAvailable.signal()
    }

    private func run() {
        while true {
            isAvailable.wait()
            work.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        }
    }
}
