import CLinux
import CameraProtocol

extension Colorimetry {
    /// The colorimetry of a driver's format, with Video4Linux's own rules where the driver says "default".
    ///
    /// - Parameters:
    ///   - format: What the driver set.
    ///   - encoding: How its frames are coded; JPEG is what JPEG readers take it for, whatever the driver says.
    init(_ format: v4l2_pix_format, encoding: V4L2Encoding) {
        switch encoding {
        case .jpeg: self = .jpeg
        case .pixels(let pixelFormat):
            let space = v4l2_colorspace(rawValue: format.colorspace)
            self.init(
                matrix: pixelFormat.isRGB
                    ? .identity : Self.matrix(v4l2_ycbcr_encoding(rawValue: format.ycbcr_enc), space),
                range: Self.range(
                    v4l2_quantization(rawValue: format.quantization), space,
                    // Gray has no colour difference to leave room for; drivers and v4l2-ctl take it like RGB.
                    isYCbCr: !pixelFormat.isRGB && pixelFormat != .gray8),
                transfer: Self.transfer(v4l2_xfer_func(rawValue: format.xfer_func), space))
        }
    }

    private static func matrix(_ encoding: v4l2_ycbcr_encoding, _ space: v4l2_colorspace) -> ColorMatrix {
        switch encoding {
        case V4L2_YCBCR_ENC_601, V4L2_YCBCR_ENC_XV601, V4L2_YCBCR_ENC_SYCC: .bt601
        case V4L2_YCBCR_ENC_709, V4L2_YCBCR_ENC_XV709: .bt709
        // SMPTE 240M's matrix differs from BT.709's by less than 0.01 in every coefficient.
        case V4L2_YCBCR_ENC_SMPTE240M: .bt709
        case V4L2_YCBCR_ENC_BT2020, V4L2_YCBCR_ENC_BT2020_CONST_LUM: .bt2020
        default:
            switch space {
            case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DCI_P3, V4L2_COLORSPACE_SMPTE240M: .bt709
            case V4L2_COLORSPACE_BT2020: .bt2020
            default: .bt601
            }
        }
    }

    private static func range(
        _ quantization: v4l2_quantization, _ space: v4l2_colorspace, isYCbCr: Bool
    ) -> ColorRange {
        switch quantization {
        case V4L2_QUANTIZATION_FULL_RANGE: .full
        case V4L2_QUANTIZATION_LIM_RANGE: .limited
        default: isYCbCr && space != V4L2_COLORSPACE_JPEG ? .limited : .full
        }
    }

    private static func transfer(_ function: v4l2_xfer_func, _ space: v4l2_colorspace) -> TransferFunction {
        switch function {
        case V4L2_XFER_FUNC_709: .bt709
        case V4L2_XFER_FUNC_SRGB: .srgb
        case V4L2_XFER_FUNC_DEFAULT:
            switch space {
            case V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG: .srgb
            case V4L2_COLORSPACE_SMPTE170M, V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_470_SYSTEM_M,
                V4L2_COLORSPACE_470_SYSTEM_BG, V4L2_COLORSPACE_BT2020:
                .bt709
            default: .unspecified
            }
        default: .unspecified
        }
    }
}
