/// How a picture is to be turned, named by where the camera's right side points, as cameras are built to be held.
public enum VideoOrientation: Int, Sendable, Hashable, CaseIterable {
    /// As the camera delivers it.
    case landscapeRight = 0
    /// Turned by 90 degrees clockwise.
    case portrait = 90
    /// Turned by 180 degrees.
    case landscapeLeft = 180
    /// Turned by 270 degrees clockwise.
    case portraitUpsideDown = 270

    /// By how many degrees the picture is turned clockwise: 0, 90, 180 or 270.
    public var rotationAngle: Int { rawValue }
}

/// What an output does to the pictures of a connection: first it mirrors them, then it turns them.
public struct VideoTransform: Sendable, Hashable {
    /// How pictures are turned.
    public var orientation = VideoOrientation.landscapeRight
    /// Whether left and right are exchanged.
    public var isMirrored = false

    /// Creates a transform.
    public init(orientation: VideoOrientation = .landscapeRight, isMirrored: Bool = false) {
        self.orientation = orientation
        self.isMirrored = isMirrored
    }

    /// Whether pictures stay as they are.
    public var isIdentity: Bool { self == VideoTransform() }
}
