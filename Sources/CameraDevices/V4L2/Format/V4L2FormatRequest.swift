package import CameraProtocol

/// A fixed format on request: `MJPG:1280x720@30`.
package struct V4L2FormatRequest: Sendable, Hashable {
    /// The pixel format.
    package var fourCC: FourCC
    /// The exact size.
    package var size: PixelSize
    /// The rate; `nil`: the session's.
    package var frameRate: FrameRate?

    /// Creates a request.
    package init(fourCC: FourCC, size: PixelSize, frameRate: FrameRate? = nil) {
        self.fourCC = fourCC
        self.size = size
        self.frameRate = frameRate
    }

    /// Reads `FOURCC:WxH` or `FOURCC:WxH@FPS`.
    ///
    /// - Returns: `nil` if the text is nothing of the kind.
    package init?(parsing text: String) {
        guard let colon = text.firstIndex(of: ":"), let fourCC = FourCC(parsing: String(text[..<colon])) else {
            return nil
        }
        let rest = text[text.index(after: colon)...].split(separator: "@", omittingEmptySubsequences: false)
        guard let first = rest.first, rest.count <= 2, let size = PixelSize(parsing: String(first)) else { return nil }
        guard rest.count == 2 else {
            self.init(fourCC: fourCC, size: size)
            return
        }
        guard let rate = FrameRate(parsing: String(rest[1])) else { return nil }
        self.init(fourCC: fourCC, size: size, frameRate: rate)
    }
}

extension V4L2FormatRequest: CustomStringConvertible {
    /// `MJPG:1280x720@30`.
    package var description: String { "\(fourCC):\(size)" + (frameRate.map { "@\($0)" } ?? "") }
}
