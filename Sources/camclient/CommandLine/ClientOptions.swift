import CameraClient

/// What the command line asks for.
struct ClientOptions: Sendable {
    /// The shape of what `--output` writes.
    enum OutputFormat: String, Sendable, CaseIterable {
        case y4m, mjpeg, bgra
    }

    /// What `--codec` names.
    struct Codec: Sendable, Hashable {
        var choice: CodecChoice
        var pixelFormat: PixelFormat?
    }

    var server: Endpoint?
    var lists = false
    var camera = ""
    var preset: SessionPreset?
    var size: PixelSize?
    var crop: PixelRectangle?
    var frameRate: FrameRate?
    var codec: Codec?
    var quality: UInt8?
    var delivery = DeliveryMode.latest
    var maximumAge: Duration?
    var saves = false
    var directory: String?
    var format: FrameSaver.Format?
    var keep: Int?
    var count: Int?
    var duration: Duration?
    var every = 1
    var output: String?
    var outputFormat: OutputFormat?
    var showsStatistics = false
    var json = false
    var timeout: Duration?
    var reconnects = true
}

extension ClientOptions {
    /// What to ask the server for.
    var request: StreamRequest {
        let standard = outputFormat == .mjpeg ? CodecChoice.inOrder([.jpeg]) : .automatic
        return StreamRequest(
            preset: preset, size: size, crop: crop, frameRateCap: frameRate, codecs: codec?.choice ?? standard,
            quality: quality, pixelFormat: codec?.pixelFormat, delivery: delivery)
    }

    /// How this side takes the frames.
    var cameraOptions: RemoteCameraOptions {
        var options = RemoteCameraOptions()
        options.maximumAge = maximumAge
        options.reconnects = reconnects
        options.clientName = "camclient"
        options.content = content
        return options
    }

    /// The library decodes, on several cores, what is written as pixels; files are made of the images.
    private var content: RemoteCameraOptions.Content {
        guard output != nil, !saves else { return .encoded }
        switch outputFormat ?? .y4m {
        case .y4m: return .nativePixels
        case .bgra: return .pixels(.bgra32)
        case .mjpeg: return .encoded
        }
    }
}
