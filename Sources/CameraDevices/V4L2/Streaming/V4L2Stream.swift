import CLinux
import CameraCapture
import CameraMedia
import CameraProtocol
import Foundation

/// One run of a camera: from the open device to the fault or stop that ends it, one epoch. Used by one thread.
final class V4L2Stream {
    /// Why a run ended.
    struct Fault {
        var reason: StateReason
        var text: String
    }

    /// With no more buffers than these, a driver is about to lose frames.
    private static let scarceBufferCount = 2
    /// How often to ask a driver without buffers whether its device is still there, as it may wake nobody.
    private static let starvedCheckMilliseconds: UInt64 = 1000

    let format: V4L2StreamFormat
    private let device: V4L2Device
    private let queue: V4L2BufferQueue
    private let reader: V4L2FrameReader
    private let wake: EventDescriptor
    private let epoch = Epoch.next()
    private var sequence = V4L2SequenceTracker()
    private var watchdog: V4L2Watchdog
    private var drops = DropCounts()
    private var hasFailed = false
    private var lastTime = HostTime(nanoseconds: 0)

    /// Sets the device up and starts it.
    ///
    /// - Parameters:
    ///   - device: The open device.
    ///   - request: A fixed format; `nil`: the best for the configuration.
    ///   - configuration: What the session asks for.
    ///   - wake: Wakes ``run(port:isStopped:)``.
    /// - Throws: ``CaptureInputError``.
    init(
        device: V4L2Device, request: V4L2FormatRequest?, configuration: CaptureConfiguration, wake: EventDescriptor
    ) throws(CaptureInputError) {
        self.device = device
        format = try device.configure(request: request, configuration: configuration)
        // One for each encoder thread, and for the driver to fill, to wait, to be newest and to be sent.
        let count = ProcessInfo.processInfo.activeProcessorCount + 4
        queue = try V4L2BufferQueue(device: device, count: UInt32(count), refilled: wake)
        reader = V4L2FrameReader(format: format)
        self.wake = wake
        watchdog = V4L2Watchdog(frameRate: format.frameRate, now: .now())
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try device.request(clinux_VIDIOC_STREAMON, &type)
    }

    deinit {
        close()
    }

    /// What was dropped since the last frame.
    var pendingDrops: DropCounts { drops }

    /// Stops the device and gives its buffers up.
    func close() {
        queue.close()
    }

    /// Delivers frames until the camera fails or somebody wants to stop.
    ///
    /// - Returns: The fault; `nil` after a stop.
    func run(port: CaptureInputPort, isStopped: () -> Bool) -> Fault? {
        while !isStopped() {
            let event = wait()
            if event == .stalled { return Fault(reason: .stalled, text: "it delivers no frames") }
            guard event == .device, !isStopped() else { continue }
            let (waiting, number) = drain()
            deliver(waiting, to: port)
            if number != 0 { return fault(number) }
        }
        return nil
    }

    private enum Event {
        /// The driver has filled a buffer, or failed.
        case device
        /// Somebody wants something else, or a buffer was given back.
        case woken
        case stalled
    }

    private func wait() -> Event {
        // A driver without buffers has nothing to fill, which some report as an error: it is asked only whether the
        // device is still there.
        let isStarved = queue.isStarved
        var descriptors = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: device.descriptor, events: isStarved ? 0 : Int16(POLLIN), revents: 0),
        ]
        let rest = watchdog.stallsAt.nanoseconds(since: .now()) / 1_000_000 + 1
        poll(&descriptors, 2, Int32(min(rest, isStarved ? Self.starvedCheckMilliseconds : 60_000)))
        if descriptors[0].revents != 0 { wake.reset() }
        hasFailed = Int32(descriptors[1].revents) & (POLLERR | POLLHUP) != 0
        if isStarved || descriptors[1].revents != 0 { watchdog.reset(now: .now()) }
        if descriptors[1].revents != 0 || queue.hasFailed { return .device }
        return isStarved || HostTime.now() < watchdog.stallsAt ? .woken : .stalled
    }

    /// A good frame that waits to be delivered.
    private struct Waiting {
        var buffer: V4L2FilledBuffer
        var sequence: UInt64
        /// What was dropped in front of it.
        var drops: DropCounts
    }

    /// Takes all that the driver has filled.
    ///
    /// - Returns: The good frames, and the error number that ended it, 0 if none did.
    private func drain() -> ([Waiting], Int32) {
        var waiting: [Waiting] = []
        while true {
            switch queue.dequeue() {
            // A driver that reports an error and has no frame would report it for ever.
            case .none: return (waiting, hasFailed && waiting.isEmpty ? EIO : 0)
            case .failed(let number): return (waiting, number)
            case .buffer(let buffer, let wasStarved):
                let (sequence, lost) = sequence.received(counter: buffer.info.sequence)
                if sequence > 0 { drops.add(wasStarved ? .outOfBuffers : .source, lost) }
                guard buffer.info.flags & clinux_V4L2_BUF_FLAG_ERROR == 0, buffer.byteCount > 0 else {
                    drops.add(.corrupt)
                    continue
                }
                waiting.append(Waiting(buffer: buffer, sequence: sequence, drops: drops))
                drops = DropCounts()
            }
        }
    }

    private func deliver(_ waiting: [Waiting], to port: CaptureInputPort) {
        let outdated = V4L2FrameSelection.outdatedCount(
            waiting: waiting.count, wantsAll: port.demand.orderedCount > 0)
        let isScarce = queue.queuedCount + waiting.count <= Self.scarceBufferCount
        var carried = DropCounts()
        for (index, frame) in waiting.enumerated() {
            carried.add(frame.drops)
            guard index >= outdated else {
                carried.add(.lateData)
                continue
            }
            do throws(V4L2FrameReader.DropFrame) {
                let sample = sample(
                    of: frame, content: try reader.picture(in: frame.buffer, isScarce: isScarce), drops: carried)
                carried = DropCounts()
                port.deliver(.sample(sample))
            } catch {
                carried.add(error.reason)
            }
        }
        // What follows the last good frame belongs in front of the next.
        carried.add(drops)
        drops = carried
    }

    private func sample(of frame: Waiting, content: SampleBuffer.Content, drops: DropCounts) -> SampleBuffer {
        let now = HostTime.now()
        lastTime = max(lastTime, frame.buffer.captureTime(now: now))
        return SampleBuffer(
            content: content, position: FramePosition(epoch: epoch, sequence: frame.sequence),
            captureTime: CaptureTime(at: lastTime), capturedAt: now,
            duration: format.frameRate.map { FrameDuration($0) }, drops: drops)
    }

    private func fault(_ number: Int32) -> Fault {
        switch number {
        case ENODEV, ENXIO: Fault(reason: .disconnected, text: "it was unplugged")
        default: Fault(reason: .deviceError, text: CaptureInputError.text(of: number))
        }
    }
}

extension V4L2FilledBuffer {
    /// When the picture was taken; `now` if the driver's time is by another clock or makes no sense.
    fileprivate func captureTime(now: HostTime) -> HostTime {
        guard info.flags & clinux_V4L2_BUF_FLAG_TIMESTAMP_MASK == clinux_V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
            let seconds = UInt64(exactly: info.timestamp.tv_sec), seconds < UInt64(UInt32.max),
            let microseconds = UInt64(exactly: info.timestamp.tv_usec), microseconds < 1_000_000
        else { return now }
        let time = HostTime(nanoseconds: seconds * 1_000_000_000 + microseconds * 1000)
        return time.nanoseconds > 0 && time <= now ? time : now
    }
}
