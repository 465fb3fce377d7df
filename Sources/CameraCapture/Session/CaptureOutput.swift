/// Takes what an input delivers: a video data output, a network stream.
///
/// The session calls it; `receive` never blocks.
public protocol CaptureOutput: AnyObject, Sendable {
    /// The output was added to a session whose input it is now connected to; called before the first event.
    ///
    /// The output reports its demand with ``CaptureConnection/setDemand(_:)`` at once and whenever it changes.
    func attach(to connection: CaptureConnection)
    /// The connection is gone; no event follows.
    func detach(from connection: CaptureConnection)
    /// Something came over a connection: first the input's current format, if it has been opened, and its state, then
    /// whatever follows.
    ///
    /// Called in order and never concurrently for one connection, mostly on the input's thread; must not block.
    func receive(_ event: CaptureEvent, from connection: CaptureConnection)
}
