/// How the components of a picture map to light.
public struct Colorimetry: Sendable, Hashable {
    /// The matrix between Y'CbCr and R'G'B'.
    public var matrix: ColorMatrix
    /// The values that stand for black and white.
    public var range: ColorRange
    /// The transfer function, carried but not converted.
    public var transfer: TransferFunction

    /// Creates a colorimetry.
    public init(matrix: ColorMatrix, range: ColorRange, transfer: TransferFunction = .unspecified) {
        self.matrix = matrix
        self.range = range
        self.transfer = transfer
    }

    /// What readers assume of a JPEG file (JFIF 1.02): BT.601, full range.
    public static let jpeg = Colorimetry(matrix: .bt601, range: .full)
    /// What readers assume of a lossy WebP file (RFC 6386, 9.2): BT.601, limited range.
    public static let webp = Colorimetry(matrix: .bt601, range: .limited)
    /// Components that are already red, green and blue, 0 to 255.
    public static let rgb = Colorimetry(matrix: .identity, range: .full, transfer: .srgb)
}

/// The matrix between Y'CbCr and R'G'B'; the raw value is the byte on the wire.
public enum ColorMatrix: UInt8, Sendable, Hashable, CaseIterable {
    /// The components are R'G'B'.
    case identity = 0
    /// ITU-R BT.601.
    case bt601 = 1
    /// ITU-R BT.709.
    case bt709 = 2
    /// ITU-R BT.2020, non-constant luminance.
    case bt2020 = 3
}

/// The values that stand for black and white; the raw value is the byte on the wire.
public enum ColorRange: UInt8, Sendable, Hashable, CaseIterable {
    /// Luma 16 to 235, chroma 16 to 240.
    case limited = 0
    /// 0 to 255.
    case full = 1
}

/// The transfer function; the raw value is the byte on the wire.
public enum TransferFunction: UInt8, Sendable, Hashable, CaseIterable {
    /// Not said by the source.
    case unspecified = 0
    /// ITU-R BT.709 (and BT.601, which is the same curve).
    case bt709 = 1
    /// IEC 61966-2-1.
    case srgb = 2
}
