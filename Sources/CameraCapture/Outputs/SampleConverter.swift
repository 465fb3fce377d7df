import CameraImaging
import CameraMedia
import CameraProtocol

/// Turns samples into what an output's settings ask for; used by one thread at a time.
final class SampleConverter: @unchecked Sendable {  // its output's worker queue, which is serial, is the only user
    private let pool: MemoryPool
    private let decoder: ImageDecoder
    private let converter = PixelConverter()

    init(pool: MemoryPool) {
        self.pool = pool
        decoder = ImageDecoder(pool: pool)
    }

    func convert(_ sample: SampleBuffer, _ settings: VideoSettings) -> Result<
        SampleBuffer.Content, ConversionFailure
    > {
        do throws(ImagingError) {
            let size = settings.size(for: sample.size)
            let pixels: PixelBuffer
            switch sample.content {
            case .pixels(let buffer): pixels = buffer
            case .encoded(let image):
                if let format = settings.pixelFormat, size == nil {
                    pixels = try decoder.decode(image, to: format)
                } else {
                    pixels = try decoder.decodeNative(image)
                }
            }
            return .success(
                .pixels(
                    try converter.convert(
                        pixels, to: settings.pixelFormat ?? pixels.pixelFormat, size: size, pool: pool)))
        } catch {
            return .failure(ConversionFailure(reason: error == .outOfBuffers ? .outOfBuffers : .corrupt))
        }
    }
}
