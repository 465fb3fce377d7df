/// What a device delivers and a connection carries.
public enum MediaType: Sendable, Hashable {
    /// Pictures.
    case video
}
