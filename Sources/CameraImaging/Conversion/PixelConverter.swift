package import CameraMedia

/// Crops, scales and converts pictures between layouts, matrices and ranges, by libyuv.
///
/// One per thread; keeps its scratch memory from picture to picture.
package final class PixelConverter {
    /// Pictures between two passes: two at a time, and the memory of a third size kept.
    private let scratch = MemoryPool(limit: 4)

    /// Creates a converter.
    package init() {}

    /// The picture in another layout, colorimetry or size.
    ///
    /// - Parameters:
    ///   - buffer: The picture; any layout and colorimetry.
    ///   - pixelFormat: The layout wanted.
    ///   - colorimetry: The matrix and range wanted; `nil` keeps the picture's, or takes BT.601 limited from RGB to
    ///     Y'CbCr. Of no effect for RGB layouts, which are always full range.
    ///   - crop: The part to keep, in pixels of `buffer`; `nil` for all.
    ///   - size: The size to scale to; `nil` for the crop's, or the picture's.
    ///   - pool: Where the result's memory comes from.
    /// - Returns: `buffer` itself if it already is what is wanted, a part of its memory if a crop is all there is to
    ///   do, otherwise a picture in a block of `pool`. The transfer function is carried, never converted.
    /// - Throws: If the size or the crop is out of range, or `pool` has no block left.
    package func convert(
        _ buffer: PixelBuffer, to pixelFormat: PixelFormat, colorimetry: Colorimetry? = nil,
        crop: PixelRectangle? = nil, size: PixelSize? = nil, pool: MemoryPool
    ) throws(ImagingError) -> PixelBuffer {
        let steps = try steps(of: buffer, to: pixelFormat, colorimetry: colorimetry, crop: crop, size: size)
        var picture = buffer
        for (index, step) in steps.enumerated() {
            // A view shares memory, so what it is a view of may be the result.
            let isLast = steps[(index + 1)...].allSatisfy(\.isView)
            picture = try perform(step, on: picture, into: .block(of: isLast ? pool : scratch))
        }
        return picture
    }

    /// Writes the picture in another layout, colorimetry or size to a caller's memory; the last pass goes straight
    /// there.
    ///
    /// - Parameters:
    ///   - buffer: The picture; any layout and colorimetry.
    ///   - pixelFormat: The layout wanted.
    ///   - colorimetry: The matrix and range wanted, as for the method above.
    ///   - crop: The part to keep, in pixels of `buffer`; `nil` for all.
    ///   - size: The size to scale to; `nil` for the crop's, or the picture's.
    ///   - target: Planes of `pixelFormat` in the size that comes out.
    /// - Throws: If the size or the crop is out of range, or memory is out.
    func convert(
        _ buffer: PixelBuffer, to pixelFormat: PixelFormat, colorimetry: Colorimetry? = nil,
        crop: PixelRectangle? = nil, size: PixelSize? = nil, into target: [PlaneMemory]
    ) throws(ImagingError) {
        let steps = try steps(of: buffer, to: pixelFormat, colorimetry: colorimetry, crop: crop, size: size)
        let last = steps.lastIndex { !$0.isLabel }
        var picture = buffer
        for (index, step) in steps.enumerated() {
            picture = try perform(step, on: picture, into: index == last ? .planes(target) : .block(of: scratch))
        }
        if last.map({ steps[$0].isView }) ?? true { picture.copy(to: target) }
    }

    private func steps(
        of buffer: PixelBuffer, to pixelFormat: PixelFormat, colorimetry: Colorimetry?, crop: PixelRectangle?,
        size: PixelSize?
    ) throws(ImagingError) -> [ConversionStep] {
        let source = PictureDescription(
            size: buffer.size, pixelFormat: buffer.pixelFormat, colorimetry: buffer.colorimetry)
        return try ConversionPlan(
            from: source, to: pixelFormat, colorimetry: colorimetry, crop: crop, size: size
        ).steps
    }

    /// Where a pass writes to.
    private enum Destination {
        case block(of: MemoryPool)
        /// Somebody's memory of the right layout and size; the picture on it is not to be kept.
        case planes([PlaneMemory])
    }

    private func perform(
        _ step: ConversionStep, on picture: PixelBuffer, into destination: Destination
    ) throws(ImagingError) -> PixelBuffer {
        var size = picture.size
        var pixelFormat = picture.pixelFormat
        var colorimetry = picture.colorimetry
        let fill: ([PlaneMemory]) throws(ImagingError) -> Void
        switch step {
        case .crop(let crop): return picture.view(of: crop)
        case .label(let colorimetry): return picture.view(labelled: colorimetry)
        case .scale(let newSize):
            size = newSize
            fill = { (planes) throws(ImagingError) in try Scaling.scale(picture, to: newSize, into: planes) }
        case .layout(let newFormat):
            pixelFormat = newFormat
            fill = { (planes) throws(ImagingError) in
                try LayoutConversion.convert(picture, to: newFormat, into: planes)
            }
        case .range(let range):
            colorimetry.range = range
            fill = { (planes) throws(ImagingError) in RangeConversion.convert(picture, to: range, into: planes) }
        case .toRGB:
            pixelFormat = .bgra32
            colorimetry = Colorimetry.rgb.carryingTransfer(of: colorimetry)
            fill = { (planes) throws(ImagingError) in try RGBConversion.makeBGRA(of: picture, into: planes[0]) }
        case .fromRGB(let newFormat, let newColorimetry):
            pixelFormat = newFormat
            colorimetry = newColorimetry
            fill = { (planes) throws(ImagingError) in
                try RGBConversion.makeYCbCr(of: picture, as: newFormat, newColorimetry, into: planes)
            }
        }
        switch destination {
        case .block(let pool):
            return try PixelBuffer.make(
                size: size, pixelFormat: pixelFormat, colorimetry: colorimetry, pool: pool, fill: fill)
        case .planes(let planes):
            try fill(planes)
            return PixelBuffer(
                width: Int(size.width), height: Int(size.height), pixelFormat: pixelFormat, colorimetry: colorimetry,
                planes: planes, owner: ())
        }
    }
}

@available(*, unavailable)
extension PixelConverter: Sendable {}

extension ConversionStep {
    /// Whether the step changes no more than what the bytes mean.
    fileprivate var isLabel: Bool {
        if case .label = self { true } else { false }
    }

    /// Whether the step makes no new pixels.
    fileprivate var isView: Bool {
        switch self {
        case .crop, .label: true
        case .scale, .layout, .range, .toRGB, .fromRGB: false
        }
    }
}
