import CLinux
import CameraCapture
import Glibc
import Synchronization

/// The buffers that a driver fills, mapped into this process, for one run of a device.
///
/// A filled buffer goes back to the driver with its last reference, on whatever thread that is; once the queue is
/// closed it is only unmapped.
final class V4L2BufferQueue: Sendable {
    private struct State {
        /// `nil` once closed.
        var device: V4L2Device?
        var mappings: [V4L2Mapping] = []
        var account: V4L2BufferAccount
    }

    private let state: Mutex<State>
    /// Signalled when a driver that had no buffer gets one, or refuses one.
    private let refilled: EventDescriptor

    /// Requests, maps and queues buffers.
    ///
    /// - Throws: ``CaptureInputError`` if the driver refuses.
    init(device: V4L2Device, count: UInt32, refilled: EventDescriptor) throws(CaptureInputError) {
        self.refilled = refilled
        var request = v4l2_requestbuffers()
        request.count = count
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try device.request(clinux_VIDIOC_REQBUFS, &request)
        do throws(CaptureInputError) {
            var mappings: [V4L2Mapping] = []
            for index in 0..<request.count {
                var buffer = v4l2_buffer(index: index)
                try device.request(clinux_VIDIOC_QUERYBUF, &buffer)
                mappings.append(try V4L2Mapping(device: device, offset: buffer.m.offset, length: Int(buffer.length)))
            }
            for index in 0..<request.count {
                var buffer = v4l2_buffer(index: index)
                try device.request(clinux_VIDIOC_QBUF, &buffer)
            }
            state = Mutex(
                State(device: device, mappings: mappings, account: V4L2BufferAccount(queuedCount: mappings.count)))
        } catch {
            Self.release(device)
            throw error
        }
    }

    deinit {
        close()
    }

    /// What a driver has filled.
    enum Dequeued {
        /// Nothing is there yet.
        case none
        /// A buffer, and whether the driver had none left before it.
        case buffer(V4L2FilledBuffer, afterStarvation: Bool)
        /// The driver's error number.
        case failed(Int32)
    }

    /// Takes the next filled buffer.
    func dequeue() -> Dequeued {
        state.withLock { state in
            guard let device = state.device else { return .failed(ENODEV) }
            if state.account.failure != 0 { return .failed(state.account.failure) }
            var buffer = v4l2_buffer(index: 0)
            switch device.attempt(clinux_VIDIOC_DQBUF, &buffer) {
            case 0: break
            case EAGAIN: return .none
            case let number: return .failed(number)
            }
            guard Int(buffer.index) < state.mappings.count else { return .failed(EIO) }
            let wasStarved = state.account.dequeued()
            let filled = V4L2FilledBuffer(buffer, mapping: state.mappings[Int(buffer.index)], queue: self)
            return .buffer(filled, afterStarvation: wasStarved)
        }
    }

    /// How many buffers the driver has; 0 while consumers hold all.
    var queuedCount: Int { state.withLock { $0.account.queuedCount } }

    /// Whether the driver has nothing to fill, and has refused none so far.
    var isStarved: Bool { state.withLock { $0.account.isStarved } }

    /// Whether the driver has refused a buffer.
    var hasFailed: Bool { state.withLock { $0.account.failure != 0 } }

    fileprivate func giveBack(_ index: UInt32) {
        let isNews = state.withLock { state in
            guard let device = state.device else { return false }
            var buffer = v4l2_buffer(index: index)
            return state.account.returned(device.attempt(clinux_VIDIOC_QBUF, &buffer))
        }
        if isNews { refilled.signal() }
    }

    /// Stops the driver and gives the buffers up; those that consumers hold stay readable.
    func close() {
        let mappings: [V4L2Mapping] = state.withLock { state in
            guard let device = state.device else { return [] }
            defer { (state.device, state.mappings) = (nil, []) }
            var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            _ = device.attempt(clinux_VIDIOC_STREAMOFF, &type)
            Self.release(device)
            return state.mappings
        }
        // Unmapped here, outside of the lock, but for those in use.
        _ = consume mappings
    }

    /// Lets the driver forget the buffers; mapped ones live on without it.
    private static func release(_ device: V4L2Device) {
        var request = v4l2_requestbuffers()
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        _ = device.attempt(clinux_VIDIOC_REQBUFS, &request)
    }
}

/// A buffer that the driver has filled; goes back to it with the last reference.
final class V4L2FilledBuffer: @unchecked Sendable {
    /// What the driver says about the frame; not changed after `init`.
    let info: v4l2_buffer
    let mapping: V4L2Mapping
    private let queue: V4L2BufferQueue

    fileprivate init(_ info: v4l2_buffer, mapping: V4L2Mapping, queue: V4L2BufferQueue) {
        self.info = info
        self.mapping = mapping
        self.queue = queue
    }

    deinit {
        queue.giveBack(info.index)
    }

    /// The bytes of the frame.
    var byteCount: Int { min(Int(info.bytesused), mapping.length) }
}

extension v4l2_buffer {
    fileprivate init(index: UInt32) {
        self.init()
        self.index = index
        type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        memory = V4L2_MEMORY_MMAP.rawValue
    }
}
