/// A named quality of capture: an upper bound of the size and a default quality.
///
/// The names are AVFoundation's; the raw value is the byte on the wire.
public enum SessionPreset: UInt8, Sendable, Hashable, CaseIterable {
    /// The device's largest size.
    case photo = 1
    /// At most 1920x1080; the default.
    case high = 2
    /// At most 640x480.
    case medium = 3
    /// At most 320x240.
    case low = 4
    /// At most 352x288.
    case cif352x288 = 5
    /// At most 640x480.
    case vga640x480 = 6
    /// At most 960x540.
    case qHD960x540 = 7
    /// At most 1280x720.
    case hd1280x720 = 8
    /// At most 1920x1080.
    case hd1920x1080 = 9
    /// At most 3840x2160.
    case hd4K3840x2160 = 10
    /// At most 960x540, for editing.
    case iFrame960x540 = 11
    /// At most 1280x720, for editing.
    case iFrame1280x720 = 12
    /// The input's active format as it is.
    case inputPriority = 13

    /// The name used on the command line.
    public var name: String {
        switch self {
        case .photo: "photo"
        case .high: "high"
        case .medium: "medium"
        case .low: "low"
        case .cif352x288: "cif352x288"
        case .vga640x480: "vga640x480"
        case .qHD960x540: "qHD960x540"
        case .hd1280x720: "hd1280x720"
        case .hd1920x1080: "hd1920x1080"
        case .hd4K3840x2160: "hd4K3840x2160"
        case .iFrame960x540: "iFrame960x540"
        case .iFrame1280x720: "iFrame1280x720"
        case .inputPriority: "inputPriority"
        }
    }

    /// The preset of a name, as on the command line.
    public init?(name: String) {
        guard let preset = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = preset
    }

    /// The upper bound of the size; `nil` where the device decides.
    public var maximumSize: PixelSize? {
        switch self {
        case .photo, .inputPriority: nil
        case .high, .hd1920x1080: PixelSize(width: 1920, height: 1080)
        case .medium, .vga640x480: PixelSize(width: 640, height: 480)
        case .low: PixelSize(width: 320, height: 240)
        case .cif352x288: PixelSize(width: 352, height: 288)
        case .qHD960x540, .iFrame960x540: PixelSize(width: 960, height: 540)
        case .hd1280x720, .iFrame1280x720: PixelSize(width: 1280, height: 720)
        case .hd4K3840x2160: PixelSize(width: 3840, height: 2160)
        }
    }

    /// The default quality, 0 to 100 on the codec's own scale.
    public var quality: UInt8 {
        switch self {
        case .photo, .iFrame960x540, .iFrame1280x720: 90
        case .medium: 75
        case .low: 50
        case .high, .cif352x288, .vga640x480, .qHD960x540, .hd1280x720, .hd1920x1080, .hd4K3840x2160,
            .inputPriority:
            80
        }
    }
}
