import CameraProtocol

/// A pixel format of Video4Linux by its four-character code.
public struct FourCC: Sendable, Hashable {
    /// The code; the first character in the lowest byte.
    public var rawValue: UInt32

    /// Creates a code from the driver's number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Reads a code such as `MJPG`; a shorter one is padded with spaces.
    ///
    /// - Returns: `nil` unless the text is 1 to 4 printable ASCII characters.
    public init?(parsing text: String) {
        let bytes = Array(text.utf8)
        guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        let padded = bytes + [UInt8](repeating: 0x20, count: 4 - bytes.count)
        self.init(rawValue: padded.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
}

extension FourCC: CustomStringConvertible {
    /// `MJPG`; bytes that cannot be printed are left out.
    public var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }
        let text = String(decoding: bytes.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}

/// How frames of a driver's format travel through the program, cheapest first.
enum V4L2Encoding: Hashable {
    /// Untouched JPEG files.
    case jpeg
    /// Pixels in a layout of ours.
    case pixels(PixelFormat)

    /// The encoding of a driver's format; `nil` if it is not one of those that are handled natively.
    init?(_ fourCC: FourCC) {
        switch fourCC.description {
        case "MJPG", "JPEG": self = .jpeg
        case "YU12": self = .pixels(.i420)
        case "422P": self = .pixels(.i422)
        case "NV12": self = .pixels(.nv12)
        case "YUYV": self = .pixels(.yuyv)
        case "UYVY": self = .pixels(.uyvy)
        case "RGB3": self = .pixels(.rgb24)
        case "BGR3": self = .pixels(.bgr24)
        case "GREY": self = .pixels(.gray8)
        default: return nil
        }
    }

    /// The work it costs to encode a frame, from none; gray is last because it has no colour.
    var cost: Int {
        switch self {
        case .jpeg: 0
        case .pixels(.i420): 1
        case .pixels(.nv12): 2
        case .pixels(.i422), .pixels(.i444): 3
        case .pixels(.yuyv), .pixels(.uyvy): 4
        case .pixels(.rgb24), .pixels(.bgr24), .pixels(.bgra32): 5
        case .pixels(.gray8): 6
        }
    }

    var pixelFormat: PixelFormat? {
        if case .pixels(let format) = self { format } else { nil }
    }

    var codec: ImageCodec { self == .jpeg ? .jpeg : .raw }
}
