public import CameraMedia
public import CameraProtocol

/// Frames that a delegate did not get, added up since it was last told.
public struct DroppedSamples: Sendable, Hashable {
    /// How many, by reason.
    public internal(set) var drops = DropCounts()
    /// The last of them that is known: where it stood in its source.
    public internal(set) var position: FramePosition?
    /// When that one was taken.
    public internal(set) var captureTime: CaptureTime?

    mutating func add(_ drops: DropCounts, at sample: SampleBuffer) {
        self.drops.add(drops)
        position = sample.position
        captureTime = sample.captureTime
    }
}
