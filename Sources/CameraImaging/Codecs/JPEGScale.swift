import CameraMedia

/// A part of its size at which TurboJPEG decodes for less work than the whole takes.
enum JPEGScale: UInt32, CaseIterable {
    case full = 1
    case half = 2
    case quarter = 4
    case eighth = 8

    /// The smallest at which a picture of `size` still has `wanted` or more pixels in both directions.
    init(of size: PixelSize, for wanted: PixelSize) {
        self =
            Self.allCases.last {
                let scaled = $0.scaled(size)
                return scaled.width >= wanted.width && scaled.height >= wanted.height
            } ?? .full
    }

    /// The size that a picture of `size` is decoded to: rounded up, as TurboJPEG does.
    func scaled(_ size: PixelSize) -> PixelSize {
        PixelSize(
            width: size.width / rawValue + (size.width % rawValue > 0 ? 1 : 0),
            height: size.height / rawValue + (size.height % rawValue > 0 ? 1 : 0))
    }
}
