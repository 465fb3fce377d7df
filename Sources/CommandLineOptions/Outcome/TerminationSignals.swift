import Dispatch
import Glibc
import Synchronization

/// Lets a program end gracefully on the first SIGINT or SIGTERM, and at once on the second.
///
/// SIGPIPE is ignored: a reader that is gone shows as an error of the write.
package final class TerminationSignals: Sendable {
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []  // written by the initializer only
    private let count = Atomic(0)

    /// Takes the signals over.
    ///
    /// - Parameter handler: Called once, on a queue of its own.
    package init(_ handler: @escaping @Sendable () -> Void) {
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "camstream.signals")
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in
                guard let self else { return }
                // The shell's convention for a program that a signal ended.
                if count.add(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
                handler()
            }
            let isReady = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isReady.signal() }
            source.resume()
            isReady.wait()
            sources.append(source)
        }
    }
}
