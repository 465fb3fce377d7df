import CameraImaging
import CameraMedia
import CameraProtocol
import Foundation
import Synchronization

/// Threads that encode, one for each core.
///
/// Which frame is encoded next is decided elsewhere; the pool's queue holds what was handed to it and no more.
final class EncoderPool: Sendable {
    /// How a job ended.
    enum Outcome: Sendable {
        case encoded(EncodedFrame)
        case failed(String)
    }

    private struct Task: Sendable {
        let job: EncodeJob
        let completion: @Sendable (Outcome) -> Void
    }

    /// The encoded images that can be alive at a time: under way to clients, by far.
    private static let imageLimit = 4096

    let threadCount: Int
    private let tasks = Mutex<[Task]>([])
    private let available = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    init(threadCount: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.threadCount = threadCount
        let images = MemoryPool(limit: Self.imageLimit)
        for number in 0..<threadCount {
            let thread = Thread { [self] in run(images) }
            thread.name = "camstream.encoder\(number)"
            thread.start()
        }
    }

    /// Queues a job; the completion is called on an encoder's thread.
    func submit(_ job: EncodeJob, completion: @escaping @Sendable (Outcome) -> Void) {
        tasks.withLock { $0.append(Task(job: job, completion: completion)) }
        available.signal()
    }

    /// Ends the threads after the jobs at hand.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        for _ in 0..<threadCount { available.signal() }
    }

    private func run(_ images: MemoryPool) {
        let codecs = FrameEncoder(pool: images)
        while true {
            available.wait()
            guard !isStopped.load(ordering: .relaxed) else { return }
            guard let task = tasks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            task.completion(codecs.encode(task.job))
        }
    }
}

/// The codecs of one thread.
private final class FrameEncoder {
    private let encoder: ImageEncoder
    private let decoder: ImageDecoder

    init(pool: MemoryPool) {
        encoder = ImageEncoder(pool: pool)
        decoder = ImageDecoder(pool: pool)
    }

    func encode(_ job: EncodeJob) -> EncoderPool.Outcome {
        let started = HostTime.now()
        let key = job.key
        do throws(ImagingError) {
            let pixels: PixelBuffer
            switch job.frame.sample.content {
            case .pixels(let buffer): pixels = buffer
            case .encoded(let image) where key.crop == nil:
                pixels = try decoder.decodeNative(image, forSize: key.size)
            case .encoded(let image): pixels = try decoder.decodeNative(image)
            }
            let image = try encoder.encode(
                pixels, as: key.codec, quality: Int(key.quality), crop: key.crop,
                size: key.size == key.crop?.size ?? pixels.size ? nil : key.size, pixelFormat: key.pixelFormat)
            return .encoded(EncodedFrame(job.frame, image: image, encodeStarted: started, encoded: .now()))
        } catch {
            return .failed("\(error)")
        }
    }
}
