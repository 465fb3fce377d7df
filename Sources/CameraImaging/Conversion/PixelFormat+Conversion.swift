import CameraMedia

extension PixelFormat {
    /// Whether every component has whole bytes of its own in planes, so that scaling and range work plane by plane.
    var isPlanar: Bool {
        switch self {
        case .gray8, .i420, .i422, .i444, .nv12: true
        case .bgra32, .rgb24, .bgr24, .yuyv, .uyvy: false
        }
    }

    /// Whether ``Scaling`` takes this layout. NV12 is not among them: libyuv averages pairs only when it halves them.
    var isScalable: Bool { self == .bgra32 || isPlanar && self != .nv12 }

    /// The pixels that share a chroma sample: a crop begins at multiples of these.
    var chromaSubsampling: (horizontal: Int, vertical: Int) {
        switch self {
        case .bgra32, .rgb24, .bgr24, .gray8, .i444: (1, 1)
        case .i422, .yuyv, .uyvy: (2, 1)
        case .i420, .nv12: (2, 2)
        }
    }

    /// Where in a plane the pixel at (`x`, `y`) is, in bytes from the start of its row and in rows.
    ///
    /// - Precondition: The pixel is at multiples of ``chromaSubsampling``.
    func offset(ofPlane plane: Int, x: Int, y: Int) -> (bytes: Int, rows: Int) {
        switch (self, plane) {
        case (.bgra32, _): (x * 4, y)
        case (.rgb24, _), (.bgr24, _): (x * 3, y)
        case (.yuyv, _), (.uyvy, _): (x * 2, y)
        case (.i420, 1...): (x / 2, y / 2)
        case (.i422, 1...): (x / 2, y)
        case (.nv12, 1...): (x, y / 2)
        case (.gray8, _), (.i420, _), (.i422, _), (.i444, _), (.nv12, _): (x, y)
        }
    }

    /// The layouts to go through, the last of them `target`, from one Y'CbCr layout or from one RGB layout to another;
    /// each hop is one that ``LayoutConversion`` does in one pass. Empty if this is `target`.
    func path(to target: PixelFormat) -> [PixelFormat] {
        if self == target { return [] }
        switch (self, target) {
        case (.bgra32, _), (.rgb24, _), (.bgr24, _): return [target]
        case (.nv12, .i420), (.nv12, .gray8), (.i420, .nv12): return [target]
        case (.yuyv, .i420), (.yuyv, .i422), (.yuyv, .gray8): return [target]
        case (.uyvy, .i420), (.uyvy, .i422), (.uyvy, .gray8): return [target]
        case (.i422, .yuyv), (.i422, .uyvy): return [target]
        case (.nv12, _): return [.i420] + PixelFormat.i420.path(to: target)
        case (.yuyv, .nv12), (.uyvy, .nv12): return [.i420, .nv12]
        case (.yuyv, _), (.uyvy, _): return [.i422] + PixelFormat.i422.path(to: target)
        case (_, .nv12): return path(to: .i420) + [.nv12]
        case (_, .yuyv), (_, .uyvy): return path(to: .i422) + [target]
        case (.gray8, _), (.i420, _), (.i422, _), (.i444, _): return [target]
        }
    }
}

extension Colorimetry {
    /// Whether components mean the same; the transfer function, which is never converted, aside.
    func hasSameComponents(as other: Colorimetry) -> Bool {
        matrix == other.matrix && range == other.range
    }

    /// This colorimetry with the transfer function of `source`.
    func carryingTransfer(of source: Colorimetry) -> Colorimetry {
        Colorimetry(matrix: matrix, range: range, transfer: source.transfer)
    }
}
