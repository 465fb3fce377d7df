import CameraMedia
import CameraProtocol
import Synchronization

/// Keeps the newest frame of a video data output for a task that asks for it.
final class SampleMailbox: VideoDataOutputSampleBufferDelegate {
    private struct State {
        var newest: SampleBuffer?
        var waiting: CheckedContinuation<SampleBuffer?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func captureOutput(_ output: VideoDataOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection) {
        let waiting: CheckedContinuation<SampleBuffer?, Never>? = state.withLock { state in
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            var sample = sample
            if let replaced = state.newest, replaced.epoch == sample.epoch {
                sample.drops.add(replaced.drops)
                sample.drops.add(.lateData)
            }
            state.newest = sample
            return nil
        }
        waiting?.resume(returning: sample)
    }

    /// The input has ended: who waits gets nothing more.
    func inputEnded() {
        end()
    }

    /// The newest frame that was not taken yet; `nil` once the input has ended or the task is cancelled.
    func next() async -> SampleBuffer? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: SampleBuffer?? = state.withLock { state in
                    if let newest = state.newest {
                        state.newest = nil
                        return .some(newest)
                    }
                    if state.isOver || Task.isCancelled || state.waiting != nil { return .some(nil) }
                    state.waiting = continuation
                    return .none
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            end()
        }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
