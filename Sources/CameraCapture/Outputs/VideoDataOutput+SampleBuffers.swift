public import CameraMedia
import Dispatch

extension VideoDataOutput {
    /// The frames, one after the other, always the newest that was not taken yet.
    ///
    /// Takes the delegate's place; a sequence begun later, or a delegate set later, takes it over. Ends when the input
    /// does, or when the task that waits is cancelled.
    public var sampleBuffers: SampleBuffers { SampleBuffers(output: self) }

    /// The frames of a video data output.
    public struct SampleBuffers: AsyncSequence, Sendable {
        fileprivate let output: VideoDataOutput

        /// Waits for frames; for one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let mailbox: SampleMailbox

            /// The newest frame that was not taken yet; `nil` after the input's last.
            public mutating func next() async -> SampleBuffer? {
                await mailbox.next()
            }
        }

        /// Begins with the next frame.
        public func makeAsyncIterator() -> Iterator {
            let mailbox = SampleMailbox()
            output.setSampleBufferDelegate(mailbox, queue: DispatchQueue(label: "camstream.sample-buffers"))
            return Iterator(mailbox: mailbox)
        }
    }
}
