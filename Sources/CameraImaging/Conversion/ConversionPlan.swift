import CameraMedia

/// What a picture is, its pixels aside.
struct PictureDescription: Equatable {
    var size: PixelSize
    var pixelFormat: PixelFormat
    var colorimetry: Colorimetry
}

/// One pass over a picture; a crop and a new label touch no pixel.
enum ConversionStep: Equatable {
    /// Keep a part, at multiples of the layout's chroma subsampling.
    case crop(PixelRectangle)
    /// Scale; the layout is scalable.
    case scale(PixelSize)
    /// Another layout of the same components.
    case layout(PixelFormat)
    /// The same components in another range; the layout is planar or RGB.
    case range(ColorRange)
    /// To BGRA, by the picture's matrix and range.
    case toRGB
    /// From BGRA to Y'CbCr.
    case fromRGB(PixelFormat, Colorimetry)
    /// The same bytes with another meaning, where that is no difference: gray of another matrix.
    case label(Colorimetry)
}

/// The passes from one picture to another, as few and on as few bytes as possible: crop, scale down, then convert.
struct ConversionPlan {
    private(set) var steps: [ConversionStep] = []
    private var picture: PictureDescription

    /// Plans a conversion.
    ///
    /// - Parameters:
    ///   - source: The picture there is.
    ///   - pixelFormat: The layout wanted.
    ///   - colorimetry: The matrix and range wanted; `nil` keeps the source's, or takes BT.601 limited to go from RGB
    ///     to Y'CbCr. Ignored for RGB layouts.
    ///   - crop: The part of the source to keep; `nil` for all.
    ///   - size: The size to scale to; `nil` for the crop's.
    init(
        from source: PictureDescription, to pixelFormat: PixelFormat, colorimetry: Colorimetry? = nil,
        crop: PixelRectangle? = nil, size: PixelSize? = nil
    ) throws(ImagingError) {
        picture = source
        if !source.pixelFormat.isRGB, source.pixelFormat != .gray8, source.colorimetry.matrix == .identity {
            throw .unsupported("RGB in a Y'CbCr layout (\(source.pixelFormat.name) with the identity matrix)")
        }
        if let crop { try append(crop: crop) }
        if source.pixelFormat.isRGB, source.colorimetry.range == .limited { append(.range(.full)) }
        if let size { try append(scaleTo: size, towards: pixelFormat) }
        if pixelFormat.isRGB {
            appendRGB(pixelFormat)
        } else {
            var wanted = colorimetry ?? (picture.pixelFormat.isRGB ? .webp : picture.colorimetry)
            if wanted.matrix == .identity {
                guard colorimetry == nil || pixelFormat == .gray8 else {
                    throw .unsupported("RGB in a Y'CbCr layout (\(pixelFormat.name) with the identity matrix)")
                }
                wanted.matrix = .bt601
            }
            appendYCbCr(pixelFormat, wanted)
        }
    }

    private mutating func append(_ step: ConversionStep) {
        switch step {
        case .crop(let crop): picture.size = crop.size
        case .scale(let size): picture.size = size
        case .layout(let pixelFormat): picture.pixelFormat = pixelFormat
        case .range(let range): picture.colorimetry.range = range
        case .toRGB:
            picture.pixelFormat = .bgra32
            picture.colorimetry = Colorimetry.rgb.carryingTransfer(of: picture.colorimetry)
        case .fromRGB(let pixelFormat, let colorimetry):
            picture.pixelFormat = pixelFormat
            picture.colorimetry = colorimetry
        case .label(let colorimetry): picture.colorimetry = colorimetry
        }
        steps.append(step)
    }

    private mutating func append(layoutsTo pixelFormat: PixelFormat) {
        for next in picture.pixelFormat.path(to: pixelFormat) { append(.layout(next)) }
    }

    private mutating func append(crop: PixelRectangle) throws(ImagingError) {
        guard crop.isContained(in: picture.size) else { throw .cropOutOfRange(crop, picture: picture.size) }
        if crop.size == picture.size { return }
        let subsampling = picture.pixelFormat.chromaSubsampling
        if Int(crop.x) % subsampling.horizontal != 0 || Int(crop.y) % subsampling.vertical != 0 {
            append(layoutsTo: .i444)
        }
        append(.crop(crop))
    }

    private mutating func append(scaleTo size: PixelSize, towards target: PixelFormat) throws(ImagingError) {
        guard size.width > 0, size.height > 0, size.pixelCount <= Limits.pixelCount else {
            throw .sizeOutOfRange(size)
        }
        if size == picture.size { return }
        for side in [size.width, size.height] where side > Scaling.maximumSide { throw .sizeOutOfRange(size) }
        for side in [picture.size.width, picture.size.height] where side > Scaling.maximumSide {
            throw .sizeOutOfRange(picture.size)
        }
        if !picture.pixelFormat.isScalable {
            if picture.pixelFormat.isRGB {
                append(.layout(.bgra32))
            } else {
                let keepsRows = picture.pixelFormat != .nv12 && target != .i420 && target != .nv12
                append(layoutsTo: target == .gray8 ? .gray8 : keepsRows ? .i422 : .i420)
            }
        }
        // libyuv averages BGRA only when it halves it, so that is done until what is left is less.
        while picture.pixelFormat == .bgra32, picture.size.width / 2 >= size.width,
            picture.size.height / 2 >= size.height, picture.size.width > 1, picture.size.height > 1
        {
            append(.scale(PixelSize(width: picture.size.width / 2, height: picture.size.height / 2)))
        }
        if size != picture.size { append(.scale(size)) }
    }

    private mutating func appendRGB(_ pixelFormat: PixelFormat) {
        if !picture.pixelFormat.isRGB {
            if !picture.pixelFormat.isPlanar { append(.layout(.i422)) }
            append(.toRGB)
        }
        append(layoutsTo: pixelFormat)
    }

    private mutating func appendYCbCr(_ pixelFormat: PixelFormat, _ wanted: Colorimetry) {
        let isGray = picture.pixelFormat == .gray8 || pixelFormat == .gray8
        if !picture.pixelFormat.isRGB, picture.colorimetry.matrix == wanted.matrix || isGray {
            let kept = Colorimetry(
                matrix: wanted.matrix, range: picture.colorimetry.range, transfer: picture.colorimetry.transfer)
            if picture.colorimetry != kept { append(.label(kept)) }
            if picture.colorimetry.range != wanted.range {
                append(layoutsTo: pixelFormat.isPlanar ? pixelFormat : .i422)
                append(.range(wanted.range))
            }
        } else {
            if !picture.pixelFormat.isRGB { appendRGB(.bgra32) }
            append(layoutsTo: .bgra32)
            let direct = RGBConversion.directFormat(towards: pixelFormat, wanted)
            append(.fromRGB(direct, wanted.carryingTransfer(of: picture.colorimetry)))
        }
        append(layoutsTo: pixelFormat)
    }
}
