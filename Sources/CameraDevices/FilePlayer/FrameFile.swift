import CameraCapture
import CameraMedia
import CameraProtocol

/// The frames of an open file, from the first to the last. Used by one thread.
protocol FrameFile: AnyObject {
    /// What the first frame is like.
    var format: CaptureFormat { get }
    /// The next frame.
    func next() -> FrameFileResult
    /// The next frame without its content: what takes no buffer.
    func skip() -> FrameFileResult
}

/// What a file has next.
enum FrameFileResult {
    /// A frame, and what it is like.
    case frame(SampleBuffer.Content, CaptureFormat)
    /// A frame that was left out, or cannot be read; others may follow.
    case dropped(DropReason)
    /// Consumers hold all buffers; the frame can be asked for again.
    case outOfBuffers
    /// No more frames: the last one was delivered, or the file is damaged from here on.
    case end(StateReason, text: String)
    /// Somebody wants to stop.
    case interrupted
}

/// Where a file comes from.
protocol FrameFileSource: Sendable {
    /// Whether it can be read again from the start.
    var isReplayable: Bool { get }
    /// Whether opening it may take for ever: then nobody waits for it.
    var isSlowToOpen: Bool { get }
    /// Opens it at its start.
    ///
    /// - Parameters:
    ///   - pool: Where the memory of its frames comes from.
    ///   - interrupt: Ends every wait of the file once it is readable.
    /// - Throws: Why it cannot be opened or is no such file.
    func open(pool: MemoryPool, interrupt: EventDescriptor) throws(CaptureInputError) -> any FrameFile
}
