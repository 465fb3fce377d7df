import CameraImaging
import CameraMedia
import CameraProtocol

/// Turns samples into what an output's settings ask for; used by one thread at a time.
final class SampleConverter: @unchecked Sendable {  // its output's worker queue, which is serial, is the only user
    private let pool: MemoryPool
    private let decoder: ImageDecoder
    private let converter = PixelConverter()
    private let scaled = MemoryPool(limit: 2)

    init(pool: MemoryPool) {
        self.pool = pool
        decoder = ImageDecoder(pool: pool)
    }

    /// - Parameter transform: How the picture is turned, after it was scaled.
    func convert(
        _ sample: SampleBuffer, _ settings: VideoSettings, _ transform: VideoTransform
    ) -> Result<SampleBuffer.Content, ConversionFailure> {
        do throws(ImagingError) {
            let size = settings.size(for: sample.size)
            let pixels: PixelBuffer
            switch sample.content {
            case .pixels(let buffer): pixels = buffer
            case .encoded(let image):
                if let format = settings.pixelFormat, size == nil, transform.isIdentity {
                    pixels = try decoder.decode(image, to: format)
                } else {
                    pixels = try decoder.decodeNative(image)
                }
            }
            let format = settings.pixelFormat ?? pixels.pixelFormat
            guard !transform.isIdentity else {
                return .success(.pixels(try converter.convert(pixels, to: format, size: size, pool: pool)))
            }
            let scaled = try converter.convert(pixels, to: pixels.pixelFormat, size: size, pool: scaled)
            let turn = PictureTurn(
                clockwise: transform.orientation.rotationAngle, isMirrored: transform.isMirrored)
            return .success(.pixels(try converter.turn(scaled, turn, to: format, pool: pool)))
        } catch {
            return .failure(ConversionFailure(reason: error == .outOfBuffers ? .outOfBuffers : .corrupt))
        }
    }
}
