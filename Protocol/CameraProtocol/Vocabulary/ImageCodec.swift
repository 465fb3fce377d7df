/// How the pixels of a frame are coded; the raw value is the byte on the wire.
public enum ImageCodec: UInt8, Sendable, Hashable, CaseIterable {
    /// Uncompressed pixels in one of the layouts of ``PixelFormat``, planes and rows without padding.
    case raw = 0
    /// A WebP file (RFC 9649).
    case webp = 1
    /// A JPEG file (ITU-T T.81 with JFIF conventions).
    case jpeg = 2

    /// The name used on the command line and in logs.
    public var name: String {
        switch self {
        case .raw: "raw"
        case .webp: "webp"
        case .jpeg: "jpeg"
        }
    }

    /// The most pixels a side that the codec can carry.
    public var maximumSide: Int {
        switch self {
        case .raw: Int(UInt32.max)
        case .webp: 16383
        case .jpeg: 65500
        }
    }
}

/// Which codecs a client takes.
public enum CodecChoice: Sendable, Hashable {
    /// The server chooses between WebP, JPEG and the camera's own JPEG, frame by frame.
    case automatic
    /// The first of these that the server has, at least one and at most 8.
    case inOrder([ImageCodec])
}
