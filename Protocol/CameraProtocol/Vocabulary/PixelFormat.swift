/// The layout of uncompressed pixels; the raw value is the byte on the wire.
///
/// Multi-byte names follow memory order: `bgra32` is blue first. All components have 8 bits.
public enum PixelFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// 4 bytes a pixel: blue, green, red, alpha (`V4L2_PIX_FMT_ABGR32`, 32BGRA).
    case bgra32 = 1
    /// 3 bytes a pixel: red, green, blue (`V4L2_PIX_FMT_RGB24`).
    case rgb24 = 2
    /// 3 bytes a pixel: blue, green, red (`V4L2_PIX_FMT_BGR24`).
    case bgr24 = 3
    /// 1 byte a pixel: luma (`V4L2_PIX_FMT_GREY`).
    case gray8 = 4
    /// Planes Y, Cb, Cr; chroma halved both ways, rounded up (`V4L2_PIX_FMT_YUV420`).
    case i420 = 5
    /// Planes Y, Cb, Cr; chroma halved horizontally, rounded up (`V4L2_PIX_FMT_YUV422P`).
    case i422 = 6
    /// Planes Y, Cb, Cr of the same size.
    case i444 = 7
    /// Plane Y, then a plane of Cb, Cr pairs halved both ways, rounded up (`V4L2_PIX_FMT_NV12`).
    case nv12 = 8
    /// One plane of Y, Cb, Y, Cr: 4 bytes for 2 pixels, odd widths rounded up (`V4L2_PIX_FMT_YUYV`).
    case yuyv = 9
    /// One plane of Cb, Y, Cr, Y: 4 bytes for 2 pixels, odd widths rounded up (`V4L2_PIX_FMT_UYVY`).
    case uyvy = 10

    /// The name used on the command line and in logs.
    public var name: String {
        switch self {
        case .bgra32: "bgra"
        case .rgb24: "rgb24"
        case .bgr24: "bgr24"
        case .gray8: "gray"
        case .i420: "i420"
        case .i422: "i422"
        case .i444: "i444"
        case .nv12: "nv12"
        case .yuyv: "yuyv"
        case .uyvy: "uyvy"
        }
    }

    /// Whether the components are red, green and blue.
    public var isRGB: Bool {
        switch self {
        case .bgra32, .rgb24, .bgr24: true
        case .gray8, .i420, .i422, .i444, .nv12, .yuyv, .uyvy: false
        }
    }

    /// The number of planes, 1 to 3.
    public var planeCount: Int {
        switch self {
        case .bgra32, .rgb24, .bgr24, .gray8, .yuyv, .uyvy: 1
        case .nv12: 2
        case .i420, .i422, .i444: 3
        }
    }

    /// The shape of one plane of a picture.
    ///
    /// - Parameters:
    ///   - index: 0 up to ``planeCount``.
    ///   - width: Pixels a row of the picture.
    ///   - height: Rows of the picture.
    public func plane(_ index: Int, width: Int, height: Int) -> PlaneShape {
        let halfWidth = width / 2 + width % 2
        let halfHeight = height / 2 + height % 2
        switch (self, index) {
        case (.bgra32, _): return PlaneShape(rowByteCount: width * 4, rowCount: height)
        case (.rgb24, _), (.bgr24, _): return PlaneShape(rowByteCount: width * 3, rowCount: height)
        case (.yuyv, _), (.uyvy, _): return PlaneShape(rowByteCount: halfWidth * 4, rowCount: height)
        case (.i420, 1...): return PlaneShape(rowByteCount: halfWidth, rowCount: halfHeight)
        case (.i422, 1...): return PlaneShape(rowByteCount: halfWidth, rowCount: height)
        case (.nv12, 1...): return PlaneShape(rowByteCount: halfWidth * 2, rowCount: halfHeight)
        case (.gray8, _), (.i420, _), (.i422, _), (.i444, _), (.nv12, _):
            return PlaneShape(rowByteCount: width, rowCount: height)
        }
    }

    /// The bytes of a whole picture without padding: what a raw frame's payload has on the wire.
    public func byteCount(width: Int, height: Int) -> Int {
        (0..<planeCount).reduce(0) { $0 + plane($1, width: width, height: height).byteCount }
    }
}

/// The size of one plane without padding.
public struct PlaneShape: Sendable, Hashable {
    /// Bytes in a row.
    public var rowByteCount: Int
    /// Rows.
    public var rowCount: Int

    /// Creates a shape.
    public init(rowByteCount: Int, rowCount: Int) {
        self.rowByteCount = rowByteCount
        self.rowCount = rowCount
    }

    /// Bytes in the plane.
    public var byteCount: Int { rowByteCount * rowCount }
}
