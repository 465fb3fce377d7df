/// Takes what an input delivers: a video data output, a network stream.
///
/// The session calls it; `receive` never blocks.
public protocol CaptureOutput: AnyObject, Sendable {
    /// Whether the output turns and mirrors pictures as its connections say; false unless implemented.
    var supportsVideoTransform: Bool { get }

    /// The output was added to a session whose input it is now connected to; called before the first event.
    ///
    /// The output reports its demand with ``CaptureConnection/setDemand(_:)`` at once and whenever it changes.
    func attach(to connection: CaptureConnection)
    /// The connection is gone; no event follows.
    func detach(from connection: CaptureConnection)
    /// Something came over a connection: first the input's current format, if it has been opened, and its state, then
    /// whatever follows.
    ///
    /// Called in order and never concurrently for one connection, mostly on the input's thread; must not block, and must
    /// not change the session's configuration. A ``CaptureSession/stopRunning()`` from here returns at once, and the
    /// session stops a little later.
    func receive(_ event: CaptureEvent, from connection: CaptureConnection)
    /// Somebody has enabled or disabled a connection, or wants its pictures turned or mirrored otherwise; does nothing
    /// unless implemented. Called on the thread that made the change.
    func connectionDidChange(_ connection: CaptureConnection)
}

extension CaptureOutput {
    /// False.
    public var supportsVideoTransform: Bool { false }

    /// Does nothing.
    public func connectionDidChange(_ connection: CaptureConnection) {}
}
