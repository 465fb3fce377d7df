public import CameraProtocol

extension CaptureSession {
    /// Something that happened to a session.
    public enum Event: Sendable {
        /// It runs: the input is open.
        case didStartRunning
        /// It runs no more: it was stopped, or its input could not be started again.
        case didStopRunning
        /// The input could not be started, by ``CaptureSession/startRunning()`` or after a change of the configuration.
        case runtimeError(any Error)
        /// The input delivers nothing at the moment: its device was unplugged, stalls or is used by another program.
        /// The session goes on by itself when it can.
        case wasInterrupted(StateReason)
        /// The input delivers again.
        case interruptionEnded
        /// The input has delivered its last frame, and why it was the last; the session runs on. A file may begin again
        /// when somebody new looks.
        case inputDidEnd(StateReason)
    }
}

/// Is told what happens to a session; every method does nothing unless implemented.
///
/// The methods are called on the queue given to ``CaptureSession/setDelegate(_:queue:)``, in order, and may call the
/// session: start it, stop it, or configure it.
public protocol CaptureSessionDelegate: AnyObject, Sendable {
    /// The session runs: its input is open.
    func captureSessionDidStartRunning(_ session: CaptureSession)
    /// The session runs no more: it was stopped, or its input could not be started again.
    func captureSessionDidStopRunning(_ session: CaptureSession)
    /// The input could not be started, by ``CaptureSession/startRunning()`` or after a change of the configuration.
    func captureSession(_ session: CaptureSession, runtimeError error: any Error)
    /// The input delivers nothing at the moment; the session goes on by itself when it can.
    func captureSession(_ session: CaptureSession, wasInterrupted reason: StateReason)
    /// The input delivers again.
    func captureSessionInterruptionEnded(_ session: CaptureSession)
    /// The input has delivered its last frame; the session runs on.
    func captureSession(_ session: CaptureSession, inputDidEnd reason: StateReason)
}

extension CaptureSessionDelegate {
    /// Does nothing.
    public func captureSessionDidStartRunning(_ session: CaptureSession) {}
    /// Does nothing.
    public func captureSessionDidStopRunning(_ session: CaptureSession) {}
    /// Does nothing.
    public func captureSession(_ session: CaptureSession, runtimeError error: any Error) {}
    /// Does nothing.
    public func captureSession(_ session: CaptureSession, wasInterrupted reason: StateReason) {}
    /// Does nothing.
    public func captureSessionInterruptionEnded(_ session: CaptureSession) {}
    /// Does nothing.
    public func captureSession(_ session: CaptureSession, inputDidEnd reason: StateReason) {}

    /// Calls the method of an event.
    func receive(_ event: CaptureSession.Event, from session: CaptureSession) {
        switch event {
        case .didStartRunning: captureSessionDidStartRunning(session)
        case .didStopRunning: captureSessionDidStopRunning(session)
        case .runtimeError(let error): captureSession(session, runtimeError: error)
        case .wasInterrupted(let reason): captureSession(session, wasInterrupted: reason)
        case .interruptionEnded: captureSessionInterruptionEnded(session)
        case .inputDidEnd(let reason): captureSession(session, inputDidEnd: reason)
        }
    }
}
