import Glibc

/// Why a YUV4MPEG2 stream could not be read or written.
package enum Y4MError: Error, Sendable, Hashable {
    /// The stream does not begin with `YUV4MPEG2`, or its first line does not end.
    case notY4M
    /// A parameter of the first line cannot be understood.
    case badParameter(String)
    /// Width or height is missing, 0, or there are more than ``Limits/pixelCount`` pixels.
    case badSize
    /// The colour space is not 8 bits in 4:2:0, 4:2:2, 4:4:4 or mono.
    case unsupportedColorSpace(String)
    /// The frame does not begin with `FRAME`, or that line does not end.
    case badFrameHeader(frame: Int)
    /// The stream ends within a frame; all before it were whole.
    case truncated(frame: Int)
    /// A frame that is written is of another size or layout than the first.
    case formatChanged
    /// All buffers of the pool are in use, or memory is out. The frame was not begun, so that it can be tried again.
    case outOfBuffers
    /// Reading or writing failed.
    case system(errno: Int32)
    /// The interrupting descriptor became readable.
    case interrupted
}

extension Y4MError: CustomStringConvertible {
    /// For a person.
    package var description: String {
        switch self {
        case .notY4M: "this is no YUV4MPEG2 stream"
        case .badParameter(let text): "the YUV4MPEG2 parameter “\(text)” cannot be understood"
        case .badSize: "the YUV4MPEG2 stream has no size, or one that is not possible"
        case .unsupportedColorSpace(let text):
            "the YUV4MPEG2 colour space “\(text)” is not supported (8 bits in 420, 422, 444 or mono are)"
        case .badFrameHeader(let frame): "frame \(frame) of the YUV4MPEG2 stream does not begin as one"
        case .truncated(let frame): "the YUV4MPEG2 stream is cut short in frame \(frame)"
        case .formatChanged: "the size or layout changed, which a YUV4MPEG2 stream cannot express"
        case .outOfBuffers: "all buffers are in use"
        case .system(let number): String(cString: strerror(number))
        case .interrupted: "interrupted"
        }
    }
}
