public import CameraProtocol

/// What a remote camera is doing.
public enum RemoteCameraState: Sendable, Hashable {
    /// The first connection is being made, and the camera asked for frames.
    case connecting
    /// Frames come, as the server granted them.
    case streaming(Subscribed)
    /// The server's camera delivers nothing at the moment, for the reason given, and may come back.
    case interrupted(CameraStatus)
    /// The connection broke, or there was none; the next attempt follows by itself, after this long, and the state stays
    /// until one succeeds or fails.
    case reconnecting(after: Duration, because: RemoteCameraError)
    /// There will be no more frames but those received already.
    case ended(RemoteCameraError)
}
