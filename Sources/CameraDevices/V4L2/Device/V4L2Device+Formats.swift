import CLinux
import CameraCapture
import CameraProtocol

extension V4L2Device {
    /// All formats with their sizes and rates, in the driver's order; converted ones, which the driver does not have
    /// itself, are left out.
    func capabilities() -> [V4L2Capability] {
        var capabilities: [V4L2Capability] = []
        // A driver that never says "no more" is not followed for ever.
        for index in 0..<UInt32(256) {
            var description = v4l2_fmtdesc()
            description.index = index
            description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            guard attempt(clinux_VIDIOC_ENUM_FMT, &description) == 0 else { break }
            if description.flags & clinux_V4L2_FMT_FLAG_EMULATED != 0 { continue }
            let fourCC = FourCC(rawValue: description.pixelformat)
            capabilities.append(
                V4L2Capability(
                    fourCC: fourCC, description: String(fixed: description.description), sizes: sizes(of: fourCC)))
        }
        return capabilities
    }

    private func sizes(of fourCC: FourCC) -> [V4L2Capability.SizeOption] {
        var options: [V4L2Capability.SizeOption] = []
        for index in 0..<UInt32(256) {
            var size = v4l2_frmsizeenum()
            size.index = index
            size.pixel_format = fourCC.rawValue
            guard attempt(clinux_VIDIOC_ENUM_FRAMESIZES, &size) == 0 else { break }
            let range: SizeRange
            if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                range = SizeRange(PixelSize(width: size.discrete.width, height: size.discrete.height))
            } else {
                let steps = size.stepwise
                range = SizeRange(
                    minimum: PixelSize(width: steps.min_width, height: steps.min_height),
                    maximum: PixelSize(width: steps.max_width, height: steps.max_height),
                    step: PixelSize(width: steps.step_width, height: steps.step_height))
            }
            options.append(.init(size: range, rates: rates(of: fourCC, at: range.maximum)))
            if !range.isFixed { break }
        }
        // A driver without a list has what it is set to.
        if options.isEmpty, let format = try? currentFormat(), format.pixelformat == fourCC.rawValue {
            let size = PixelSize(width: format.width, height: format.height)
            options.append(.init(size: SizeRange(size), rates: .unknown))
        }
        return options
    }

    private func rates(of fourCC: FourCC, at size: PixelSize) -> RateOptions {
        var rates: [FrameRate] = []
        for index in 0..<UInt32(256) {
            var interval = v4l2_frmivalenum()
            interval.index = index
            interval.pixel_format = fourCC.rawValue
            interval.width = size.width
            interval.height = size.height
            guard attempt(clinux_VIDIOC_ENUM_FRAMEINTERVALS, &interval) == 0 else { break }
            guard interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                guard let high = FrameRate(interval: interval.stepwise.min),
                    let low = FrameRate(interval: interval.stepwise.max)
                else { return .unknown }
                return .range(min(low, high), max(low, high))
            }
            if let rate = FrameRate(interval: interval.discrete) { rates.append(rate) }
        }
        return rates.isEmpty ? .unknown : .discrete(rates)
    }

    /// What the driver is set to.
    func currentFormat() throws(CaptureInputError) -> v4l2_pix_format {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try request(clinux_VIDIOC_G_FMT, &format)
        return format.fmt.pix
    }

    /// Sets pixel format and size.
    ///
    /// - Returns: What the driver made of it.
    func setFormat(_ fourCC: FourCC, size: PixelSize) throws(CaptureInputError) -> v4l2_pix_format {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        format.fmt.pix.width = size.width
        format.fmt.pix.height = size.height
        format.fmt.pix.pixelformat = fourCC.rawValue
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        format.fmt.pix.priv = clinux_V4L2_PIX_FMT_PRIV_MAGIC
        try request(clinux_VIDIOC_S_FMT, &format)
        return format.fmt.pix
    }

    /// The rate that the driver is set to; `nil` if it does not say.
    func currentFrameRate() -> FrameRate? {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        guard attempt(clinux_VIDIOC_G_PARM, &parameters) == 0 else { return nil }
        return FrameRate(interval: parameters.parm.capture.timeperframe)
    }

    /// Sets the rate, if the driver can.
    ///
    /// - Returns: What the driver made of it; `nil` if it does not say.
    func setFrameRate(_ rate: FrameRate) -> FrameRate? {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        parameters.parm.capture.timeperframe = v4l2_fract(numerator: rate.denominator, denominator: rate.numerator)
        _ = attempt(clinux_VIDIOC_S_PARM, &parameters)
        return currentFrameRate()
    }
}

extension FrameRate {
    fileprivate init?(interval: v4l2_fract) {
        self.init(interval.denominator, interval.numerator)
    }
}
