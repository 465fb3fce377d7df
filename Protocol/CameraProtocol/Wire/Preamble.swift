/// The first eight bytes of each side: the magic `CAMS`, then major and minor version.
public struct Preamble: Sendable, Hashable {
    /// Sides with another major version cannot talk.
    public var major: UInt16
    /// A higher minor version only adds.
    public var minor: UInt16

    /// Creates a preamble.
    public init(major: UInt16, minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    /// What this implementation speaks.
    public static let current = Preamble(major: 1, minor: 0)
    /// The first four bytes: `CAMS`.
    public static let magic: [UInt8] = [0x43, 0x41, 0x4D, 0x53]
    /// The bytes of a preamble.
    public static let byteCount = 8
}

extension Preamble {
    /// The eight bytes that open a side of a connection.
    public var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        for byte in Self.magic { writer.write(byte) }
        writer.write(major)
        writer.write(minor)
        return writer.bytes
    }
}
