public import CameraMedia
import Glibc

/// Why a picture could not be converted, encoded, decoded, read or written.
public enum ImagingError: Error, Sendable, Hashable {
    /// The size is empty, above ``Limits/pixelCount``, or more than the codec or the scaler can carry.
    case sizeOutOfRange(PixelSize)
    /// A crop is empty or does not lie within the picture.
    case cropOutOfRange(PixelRectangle, picture: PixelSize)
    /// The image's own header says another size than the one it was announced with.
    case sizeMismatch(declared: PixelSize, actual: PixelSize)
    /// The data ends before the picture does.
    case truncated(format: String)
    /// The data is not what the format allows; `reason` is the library's own text.
    case corrupt(format: String, reason: String)
    /// The picture is valid, but of a kind that is not handled.
    case unsupported(String)
    /// A codec refused to encode; `reason` is the library's own text.
    case encodingFailed(format: String, reason: String)
    /// All buffers of the pool are in use, or memory is out.
    case outOfBuffers
    /// The bytes from one row to the next are fewer than a row has, or more than can be handled.
    case bytesPerRowOutOfRange(Int, allowed: ClosedRange<Int>)
    /// The caller's memory has fewer bytes than the picture takes at that many bytes per row.
    case memoryTooSmall(byteCount: Int, needed: Int)
    /// A file could not be opened or read.
    case cannotRead(path: String, errno: Int32)
    /// A file could not be created or given its final name.
    case cannotCreate(path: String, errno: Int32)
    /// Writing to a file failed, for instance because the disk is full.
    case cannotWrite(path: String, errno: Int32)
}

extension ImagingError: CustomStringConvertible {
    /// For a person.
    public var description: String {
        switch self {
        case .sizeOutOfRange(let size): "a picture of \(size) pixels is not possible here"
        case .cropOutOfRange(let crop, let picture):
            "the crop \(crop.x),\(crop.y),\(crop.size) is not within the picture of \(picture)"
        case .sizeMismatch(let declared, let actual): "the image is \(actual), not \(declared) as announced"
        case .truncated(let format): "the \(format) data is cut short"
        case .corrupt(let format, let reason): "the \(format) data is damaged: \(reason)"
        case .unsupported(let what): "\(what) is not supported"
        case .encodingFailed(let format, let reason): "\(format) encoding failed: \(reason)"
        case .outOfBuffers: PixelBufferError.outOfBuffers.description
        case .bytesPerRowOutOfRange(let bytesPerRow, let allowed):
            PixelBufferError.bytesPerRowOutOfRange(bytesPerRow, allowed: allowed).description
        case .memoryTooSmall(let byteCount, let needed):
            PixelBufferError.memoryTooSmall(byteCount: byteCount, needed: needed).description
        case .cannotRead(let path, let number): "\(path): cannot be read: \(Self.text(of: number))"
        case .cannotCreate(let path, let number): "\(path): cannot be created: \(Self.text(of: number))"
        case .cannotWrite(let path, let number): "\(path): cannot be written: \(Self.text(of: number))"
        }
    }

    private static func text(of number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: base)
        }
    }
}

extension ImagingError {
    /// What a pixel buffer's error is here.
    init(_ error: PixelBufferError) {
        switch error {
        case .size(let width, let height): self = .sizeOutOfRange(PixelSize(width, height))
        case .outOfBuffers: self = .outOfBuffers
        case .bytesPerRowOutOfRange(let bytesPerRow, let allowed):
            self = .bytesPerRowOutOfRange(bytesPerRow, allowed: allowed)
        case .memoryTooSmall(let byteCount, let needed):
            self = .memoryTooSmall(byteCount: byteCount, needed: needed)
        }
    }

    /// Does what throws a pixel buffer's errors.
    static func wrapping<Result>(_ body: () throws(PixelBufferError) -> Result) throws(ImagingError) -> Result {
        do {
            return try body()
        } catch {
            throw ImagingError(error)
        }
    }
}
