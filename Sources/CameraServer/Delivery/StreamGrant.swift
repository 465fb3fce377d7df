import CameraCapture
import CameraMedia
import CameraProtocol

/// What makes the encoded frames of two streams the same, so that they are encoded once.
struct RenditionKey: Sendable, Hashable {
    let crop: PixelRectangle?
    let size: PixelSize
    let codec: ImageCodec
    /// 0 where it does not matter: raw frames, and the camera's own JPEG.
    let quality: UInt8
    /// The layout of raw frames; `nil`: the source's own.
    let pixelFormat: PixelFormat?
    /// Streams that want every frame do not share with those that want the newest.
    let isOrdered: Bool

    /// Whether a captured image can be sent as it is.
    func isUntouched(_ image: EncodedImage) -> Bool {
        crop == nil && image.size == size && image.codec == codec && quality == 0
    }
}

/// The bounds that the server's options set for all streams.
struct StreamCeilings: Sendable {
    /// The largest size; `nil`: as captured.
    var size: PixelSize?
    /// The most frames a second; `nil`: as captured.
    var frameRate: FrameRate?
    /// The quality unless the client names one, 0 to 100.
    var quality: UInt8
}

/// What a request comes to with a captured format.
struct StreamGrant: Sendable {
    let key: RenditionKey
    let quality: UInt8
    let frameRate: FrameRate?
    /// Whether the codec is the server's choice between WebP and JPEG, which may change.
    let isAutomatic: Bool

    /// Why a request cannot be granted.
    struct Refusal: Error, Sendable, Equatable {
        let code: ErrorCode
        let text: String
    }

    /// Works a request out.
    ///
    /// - Parameters:
    ///   - accepted: The codecs the client can decode.
    ///   - automatic: The codec that the server prefers at present for a size.
    init(
        _ request: StreamRequest, format: CaptureFormat, ceilings: StreamCeilings, accepted: [ImageCodec],
        automatic: (PixelRectangle?, PixelSize) -> ImageCodec
    ) throws(Refusal) {
        if let crop = request.crop, !crop.isContained(in: format.size) {
            throw Refusal(
                code: .invalidRequest,
                text: "a crop of \(crop.size) at \(crop.x),\(crop.y) is not within the picture of \(format.size)")
        }
        let crop = request.crop?.size == format.size ? nil : request.crop
        let picture = crop?.size ?? format.size
        let size = [ceilings.size, request.preset?.maximumSize, request.size].compactMap { $0 }
            .reduce(picture) { $0.fitted(within: $1) }
        let isWhole = crop == nil && size == format.size
        let codec: ImageCodec
        var isAutomatic = false
        let isOrdered = if case .ordered = request.delivery { true } else { false }
        switch request.codecs {
        case .inOrder(let wanted):
            guard let first = wanted.first(where: accepted.contains) else {
                throw Refusal(code: .unsupportedCodec, text: "no codec of the list is one that the client decodes")
            }
            codec = first
        case .automatic:
            let isTooLarge = max(size.width, size.height) > ImageCodec.webp.maximumSide
            if accepted.contains(.jpeg), (format.codec == .jpeg && isWhole) || isTooLarge {
                codec = .jpeg
            } else if accepted.contains(.webp), accepted.contains(.jpeg), !isOrdered {
                codec = automatic(crop, size)
                isAutomatic = true
            } else if let first = [ImageCodec.webp, .jpeg, .raw].first(where: accepted.contains) {
                codec = first
            } else {
                throw Refusal(code: .unsupportedCodec, text: "the client decodes no codec of this server")
            }
        }
        guard max(size.width, size.height) <= codec.maximumSide else {
            throw Refusal(
                code: .unsupportedCodec,
                text: "\(codec.name) ends at \(codec.maximumSide) pixels a side, the picture has \(size)")
        }
        self.isAutomatic = isAutomatic
        quality = min(request.quality ?? request.preset?.quality ?? ceilings.quality, 100)
        let isOwn = codec == .jpeg && format.codec == .jpeg && isWhole
        key = RenditionKey(
            crop: crop, size: size, codec: codec, quality: codec == .raw || isOwn ? 0 : quality,
            pixelFormat: codec == .raw ? request.pixelFormat ?? format.pixelFormat : nil, isOrdered: isOrdered)
        frameRate = [request.frameRateCap, ceilings.frameRate, format.frameRate].compactMap { $0 }.min()
    }

    /// The message that tells the client.
    func message(camera: String, format: CaptureFormat, delivery: DeliveryMode) -> Subscribed {
        Subscribed(
            camera: camera, sourceSize: format.size, sourceFrameRate: format.frameRate, size: key.size, crop: key.crop,
            frameRate: frameRate, codec: key.codec, quality: quality, pixelFormat: key.pixelFormat, delivery: delivery)
    }
}
