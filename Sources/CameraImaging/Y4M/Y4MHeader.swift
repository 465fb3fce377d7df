package import CameraProtocol

/// The first line of a YUV4MPEG2 stream.
///
/// The format names no matrix; like FFmpeg, which makes most of these files, this takes BT.601 whatever the size.
/// The range is limited unless `XCOLORRANGE=FULL` says otherwise. What is written always says the range.
package struct Y4MHeader: Sendable, Hashable {
    /// Pixels a row.
    package var width: Int
    /// Rows.
    package var height: Int
    /// Frames a second; `nil` if the stream does not say (`F0:0`, or no `F`).
    package var frameRate: FrameRate?
    /// i420, i422, i444 or gray8.
    package var pixelFormat: PixelFormat
    /// BT.601, in the range that the stream says.
    package var colorimetry: Colorimetry

    /// Creates a header.
    ///
    /// - Returns: `nil` for a layout that the format does not have.
    package init?(
        width: Int, height: Int, frameRate: FrameRate?, pixelFormat: PixelFormat, colorimetry: Colorimetry
    ) {
        guard Self.colorSpace(of: pixelFormat) != nil else { return nil }
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.pixelFormat = pixelFormat
        self.colorimetry = colorimetry
    }

    /// Reads the line, without its end.
    ///
    /// Interlacing, pixel aspect and comments are accepted and passed over.
    package init(parsing line: String) throws(Y4MError) {
        let parameters = line.split(separator: " ")
        guard parameters.first == "YUV4MPEG2" else { throw .notY4M }
        var (width, height) = (0, 0)
        frameRate = nil
        pixelFormat = .i420
        colorimetry = .webp
        for parameter in parameters.dropFirst() {
            let value = parameter.dropFirst()
            switch parameter.first {
            case "W": width = try Self.side(value, parameter)
            case "H": height = try Self.side(value, parameter)
            case "F": frameRate = try Self.frameRate(value, parameter)
            case "C": pixelFormat = try Self.pixelFormat(value)
            case "X" where value == "COLORRANGE=FULL": colorimetry.range = .full
            default: break
            }
        }
        guard width > 0, height > 0, width <= Limits.pixelCount / height else { throw .badSize }
        self.width = width
        self.height = height
    }

    private static func side(_ value: Substring, _ parameter: Substring) throws(Y4MError) -> Int {
        guard let side = UInt32(value) else { throw .badParameter(String(parameter)) }
        guard side > 0 else { throw .badSize }
        return Int(side)
    }

    private static func frameRate(_ value: Substring, _ parameter: Substring) throws(Y4MError) -> FrameRate? {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = UInt32(parts[0]), let denominator = UInt32(parts[1]) else {
            throw .badParameter(String(parameter))
        }
        return FrameRate(numerator, denominator)
    }

    private static func pixelFormat(_ value: Substring) throws(Y4MError) -> PixelFormat {
        switch value {
        // They differ in where chroma is sampled, which nothing here depends on.
        case "420", "420jpeg", "420mpeg2", "420paldv": .i420
        case "422": .i422
        case "444": .i444
        case "mono": .gray8
        default: throw .unsupportedColorSpace(String(value))
        }
    }

    private static func colorSpace(of pixelFormat: PixelFormat) -> String? {
        switch pixelFormat {
        case .i420: "420jpeg"
        case .i422: "422"
        case .i444: "444"
        case .gray8: "mono"
        case .bgra32, .rgb24, .bgr24, .nv12, .yuyv, .uyvy: nil
        }
    }

    /// The line, without its end.
    package var line: String {
        let rate = frameRate.map { "\($0.numerator):\($0.denominator)" } ?? "0:0"
        let colorSpace = Self.colorSpace(of: pixelFormat) ?? ""
        let range = colorimetry.range == .full ? "FULL" : "LIMITED"
        return "YUV4MPEG2 W\(width) H\(height) F\(rate) Ip A0:0 C\(colorSpace) XCOLORRANGE=\(range)"
    }

    /// The bytes of a frame's pixels.
    package var frameByteCount: Int { pixelFormat.byteCount(width: width, height: height) }

    /// Whether frames of both can follow one another in a stream.
    func isSameStream(as other: Y4MHeader) -> Bool {
        width == other.width && height == other.height && pixelFormat == other.pixelFormat
            && colorimetry.range == other.colorimetry.range
    }
}
