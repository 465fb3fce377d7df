import CameraImaging
import CameraMedia
import CameraProtocol
import Dispatch
import Synchronization

/// Decodes images on threads of its own, several at once.
final class FrameDecoder: Sendable {
    /// A decoder and the queue that alone uses it.
    private final class Worker: @unchecked Sendable {
        let queue: DispatchQueue
        private let decoder: ImageDecoder  // used on `queue` only

        init(pool: MemoryPool, number: Int) {
            queue = DispatchQueue(label: "camstream.decoder.\(number)", qos: .userInitiated)
            decoder = ImageDecoder(pool: pool)
        }

        func decode(
            _ image: EncodedImage, to content: RemoteCameraOptions.Content
        ) -> Result<PixelBuffer, ImagingError> {
            Result { () throws(ImagingError) in
                switch content {
                case .pixels(let format): try decoder.decode(image, to: format)
                case .nativePixels, .encoded: try decoder.decodeNative(image)
                }
            }
        }
    }

    private let content: RemoteCameraOptions.Content
    private let workers: [Worker]
    private let idle: Mutex<[Int]>

    /// Creates a decoder of as many images at once as `count`.
    init(content: RemoteCameraOptions.Content, count: Int, pool: MemoryPool) {
        self.content = content
        workers = (0..<count).map { Worker(pool: pool, number: $0) }
        idle = Mutex(Array(0..<count))
    }

    /// Decodes an image; `completion` is called on another thread.
    func decode(_ image: EncodedImage, completion: @escaping @Sendable (Result<PixelBuffer, ImagingError>) -> Void) {
        let index = idle.withLock { $0.popLast() } ?? 0
        let worker = workers[index]
        worker.queue.async { [self] in
            let result = worker.decode(image, to: content)
            idle.withLock { $0.append(index) }
            completion(result)
        }
    }
}
