import CameraImaging
import CameraMedia
import CameraProtocol
import Synchronization

/// Decodes one camera's images on the process's decoder threads.
final class FrameDecoder: Sendable {
    /// A decoder that nobody uses at the moment; whoever takes it is its only user.
    private struct Idle: @unchecked Sendable {
        let decoder: ImageDecoder
    }

    private let content: RemoteCameraOptions.Content
    private let pool: MemoryPool
    private let idle = Mutex<[Idle]>([])

    /// Creates a decoder whose pictures come from a pool.
    init(content: RemoteCameraOptions.Content, pool: MemoryPool) {
        self.content = content
        self.pool = pool
    }

    /// Decodes an image; `completion` is called on another thread.
    func decode(_ image: EncodedImage, completion: @escaping @Sendable (Result<PixelBuffer, ImagingError>) -> Void) {
        DecoderThreads.shared.execute { [self] in completion(decodeNow(image)) }
    }

    private func decodeNow(_ image: EncodedImage) -> Result<PixelBuffer, ImagingError> {
        // As many as decode at once, which the flow bounds.
        let worker = idle.withLock { $0.popLast() } ?? Idle(decoder: ImageDecoder(pool: pool))
        defer { idle.withLock { $0.append(worker) } }
        return Result { () throws(ImagingError) in
            switch content {
            case .pixels(let format): try worker.decoder.decode(image, to: format)
            case .nativePixels: try worker.decoder.decodeNative(image)
            // Asked for as pixels all the same.
            case .encoded: try worker.decoder.decode(image, to: .bgra32)
            }
        }
    }
}
