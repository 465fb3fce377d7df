import CameraMedia
import CameraProtocol
import Synchronization

/// Keeps the newest frame of a video data output for a task that asks for it.
final class SampleMailbox: VideoDataOutputSampleBufferDelegate {
    private struct State {
        var newest: SampleBuffer?
        /// The epoch of the frame taken last; the first frame of all, and of an epoch, carries no drops.
        var takenEpoch: UInt64?
        var waiting: CheckedContinuation<SampleBuffer?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func captureOutput(_ output: VideoDataOutput, didOutput sample: SampleBuffer, from connection: CaptureConnection) {
        let waiting: CheckedContinuation<SampleBuffer?, Never>? = state.withLock { state in
            var sample = sample
            if let replaced = state.newest, replaced.epoch == sample.epoch {
                sample.drops.add(replaced.drops)
                sample.drops.add(.lateData)
            }
            state.newest = sample
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: take())
    }

    private func take() -> SampleBuffer? {
        state.withLock { state in
            guard var sample = state.newest else { return nil }
            state.newest = nil
            if state.takenEpoch != sample.epoch { sample.drops = DropCounts() }
            state.takenEpoch = sample.epoch
            return sample
        }
    }

    /// The newest frame that was not taken yet; `nil` once the input has ended or the task is cancelled.
    func next() async -> SampleBuffer? {
        await withTaskCancellationHandler {
            if let newest = take() { return newest }
            return await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.newest == nil, !state.isOver, !Task.isCancelled, state.waiting == nil else {
                        return false
                    }
                    state.waiting = continuation
                    return true
                }
                if !waits { continuation.resume(returning: take()) }
            }
        } onCancel: {
            end()
        }
    }

    /// No frame follows: the input has ended, another took the output over, or the task was cancelled.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
