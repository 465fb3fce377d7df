import CLinux
import CameraCapture
import CameraProtocol

extension V4L2Device {
    /// Chooses a format, sets it, and reads back what the driver made of it.
    ///
    /// - Throws: ``CaptureInputError`` if there is no format that is handled, or the one on request is refused.
    func configure(
        request: V4L2FormatRequest?, configuration: CaptureConfiguration
    ) throws(CaptureInputError) -> V4L2StreamFormat {
        if let request { return try set(request, configuration) }
        if configuration.preset == .inputPriority {
            let rate = configuration.frameRate.map { setFrameRate($0) } ?? currentFrameRate()
            return try V4L2StreamFormat(try currentFormat(), frameRate: rate, subject: path)
        }
        let capabilities = capabilities()
        guard
            let choice = V4L2FormatChoice.choose(
                from: capabilities, bound: configuration.preset.maximumSize, rate: configuration.frameRate)
        else {
            let names = capabilities.map(\.fourCC.description).joined(separator: ", ")
            throw CaptureInputError(
                .unsupportedFormat, subject: path,
                reason: "it has none of the supported pixel formats" + (names.isEmpty ? "" : " (it has \(names))"))
        }
        let format = try setFormat(choice.fourCC, size: choice.size)
        let rate = choice.frameRate.map { setFrameRate($0) } ?? setFrameRate(configuration.frameRate ?? .thirty)
        return try V4L2StreamFormat(format, frameRate: rate ?? choice.frameRate, subject: path)
    }

    private func set(
        _ request: V4L2FormatRequest, _ configuration: CaptureConfiguration
    ) throws(CaptureInputError) -> V4L2StreamFormat {
        let format = try setFormat(request.fourCC, size: request.size)
        let size = PixelSize(width: format.width, height: format.height)
        guard format.pixelformat == request.fourCC.rawValue, size == request.size else {
            let offered = "\(FourCC(rawValue: format.pixelformat)):\(size)"
            throw CaptureInputError(
                .unsupportedFormat, subject: path, reason: "it does not have \(request); the nearest is \(offered)",
                remedy: "see --list-formats \(path)")
        }
        let rate = setFrameRate(request.frameRate ?? configuration.frameRate ?? .thirty)
        return try V4L2StreamFormat(format, frameRate: rate, subject: path)
    }
}
