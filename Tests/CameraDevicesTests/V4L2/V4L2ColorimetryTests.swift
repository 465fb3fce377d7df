import CLinux
import CameraProtocol
import Testing

@testable import CameraDevices

@Suite("A driver's colour")
struct V4L2ColorimetryTests {
    private func colorimetry(
        _ space: v4l2_colorspace, _ encoding: v4l2_ycbcr_encoding = V4L2_YCBCR_ENC_DEFAULT,
        _ quantization: v4l2_quantization = V4L2_QUANTIZATION_DEFAULT, as pixelFormat: PixelFormat = .yuyv
    ) -> Colorimetry {
        var format = v4l2_pix_format()
        format.colorspace = space.rawValue
        format.ycbcr_enc = encoding.rawValue
        format.quantization = quantization.rawValue
        return Colorimetry(format, encoding: .pixels(pixelFormat))
    }

    @Test("is what the driver says")
    func explicit() {
        #expect(
            colorimetry(V4L2_COLORSPACE_SRGB, V4L2_YCBCR_ENC_709, V4L2_QUANTIZATION_FULL_RANGE)
                == Colorimetry(matrix: .bt709, range: .full, transfer: .srgb))
        #expect(
            colorimetry(V4L2_COLORSPACE_REC709, V4L2_YCBCR_ENC_601, V4L2_QUANTIZATION_LIM_RANGE)
                == Colorimetry(matrix: .bt601, range: .limited, transfer: .bt709))
        #expect(colorimetry(V4L2_COLORSPACE_SRGB, V4L2_YCBCR_ENC_BT2020).matrix == .bt2020)
    }

    @Test("follows from the colour space where the driver says default")
    func defaults() {
        #expect(
            colorimetry(V4L2_COLORSPACE_SMPTE170M) == Colorimetry(matrix: .bt601, range: .limited, transfer: .bt709))
        #expect(colorimetry(V4L2_COLORSPACE_REC709) == Colorimetry(matrix: .bt709, range: .limited, transfer: .bt709))
        #expect(colorimetry(V4L2_COLORSPACE_SRGB) == Colorimetry(matrix: .bt601, range: .limited, transfer: .srgb))
        #expect(colorimetry(V4L2_COLORSPACE_JPEG) == Colorimetry(matrix: .bt601, range: .full, transfer: .srgb))
        #expect(colorimetry(V4L2_COLORSPACE_BT2020).matrix == .bt2020)
        #expect(colorimetry(V4L2_COLORSPACE_DEFAULT) == Colorimetry(matrix: .bt601, range: .limited))
    }

    @Test("of RGB and gray is full range unless the driver says otherwise; RGB has no matrix")
    func rgb() {
        #expect(colorimetry(V4L2_COLORSPACE_SRGB, as: .gray8).range == .full)
        #expect(colorimetry(V4L2_COLORSPACE_REC709, as: .rgb24).matrix == .identity)
        #expect(colorimetry(V4L2_COLORSPACE_REC709, as: .bgr24).range == .full)
        #expect(
            colorimetry(V4L2_COLORSPACE_SRGB, V4L2_YCBCR_ENC_DEFAULT, V4L2_QUANTIZATION_LIM_RANGE, as: .rgb24).range
                == .limited)
    }

    @Test("of JPEG is what every reader takes it for")
    func jpeg() {
        var format = v4l2_pix_format()
        format.colorspace = V4L2_COLORSPACE_REC709.rawValue
        #expect(Colorimetry(format, encoding: .jpeg) == .jpeg)
    }
}
