/// Which frames a client gets when it cannot take all.
public enum DeliveryMode: Sendable, Hashable {
    /// Always the newest; older ones are dropped.
    case latest
    /// All of them in order, at most `depth` waiting (1 to 64).
    case ordered(depth: UInt16)
    /// Each frame goes to one idle member of a named group of the camera.
    case shared(group: String, ordered: Bool)

    /// The depth of `ordered` unless said otherwise.
    public static let defaultDepth: UInt16 = 8
    /// The largest depth of `ordered`.
    public static let maximumDepth: UInt16 = 64
}
