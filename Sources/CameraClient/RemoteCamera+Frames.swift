import CameraImaging
public import CameraMedia
import CameraProtocol
import Synchronization

// MARK: - Pixels

extension RemoteCamera {
    /// The frames until the source ends: the newest each time in `latest` delivery, all in `ordered` delivery.
    ///
    /// Throws what ``next(timeout:)`` throws; a file's regular end and ``close()`` end the sequence instead.
    public var frames: Frames { Frames(camera: self) }

    /// Waits for the next frame: the newest in `latest` delivery, the next one in `ordered` delivery.
    ///
    /// No frame is handed out twice. The drops of two frames that follow one another in an epoch account for all that
    /// lies between them. With several tasks that wait at once, each frame goes to one of them.
    ///
    /// - Parameter timeout: How long to wait at most; `nil`: until the camera ends.
    /// - Throws: ``RemoteCameraError`` when there will be no more frames, or none came in time; `CancellationError` if
    ///   the task is cancelled.
    public func next(timeout: Duration? = nil) async throws -> RemoteFrame {
        let deadline = timeout.map(Deadline.init)
        while true {
            let sample = try await core.next(timeout: deadline?.remaining)
            if let frame = try await decoded(sample) { return frame }
        }
    }

    /// The newest frame, without waiting for one to come; `nil` if none came since the last that was handed out.
    ///
    /// Takes as long as it takes to decode it. For a program with a rhythm of its own, such as a renderer: from the first
    /// call on frames keep coming, so that the next call finds a fresh one, until a frame is waited for. With
    /// ``ConsumerPacing/onDemand`` a call asks for the frame that a later one finds. In `ordered` delivery it is the next
    /// frame, not the newest.
    ///
    /// - Throws: ``RemoteCameraError`` when there will be no more frames; `CancellationError` if the task is cancelled.
    public func latest() async throws -> RemoteFrame? {
        while let sample = try await core.latest() {
            if let frame = try await decoded(sample) { return frame }
        }
        return nil
    }

    /// Waits for a frame that was certainly taken after a moment: by the comparison of the two machines' clocks, and
    /// allowing for its uncertainty.
    ///
    ///     light.turnOn()
    ///     let lit = try await camera.snapshot()
    ///
    /// Earlier frames that come meanwhile are dropped (`lateData`), in `ordered` delivery too.
    ///
    /// - Parameters:
    ///   - time: The moment, by this machine's monotonic clock; by default that of the call.
    ///   - timeout: How long to wait at most; `nil`: until the camera ends.
    /// - Throws: As ``next(timeout:)``.
    public func snapshot(after time: HostTime = .now(), timeout: Duration? = nil) async throws -> RemoteFrame {
        let deadline = timeout.map(Deadline.init)
        while true {
            let sample = try await core.next(after: time, timeout: deadline?.remaining)
            if let frame = try await decoded(sample) { return frame }
        }
    }

    /// The frames of a camera as pixels, one after the other.
    public struct Frames: AsyncSequence, Sendable {
        fileprivate let camera: RemoteCamera

        /// Waits for the frames.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let camera: RemoteCamera

            /// The next frame; `nil` once the source came to its end or the camera was closed on this side.
            ///
            /// - Throws: What ``RemoteCamera/next(timeout:)`` throws.
            public mutating func next() async throws -> RemoteFrame? {
                try await RemoteCamera.untilEnd { try await camera.next() }
            }
        }

        /// Begins with the next frame.
        public func makeAsyncIterator() -> Iterator { Iterator(camera: camera) }
    }
}

// MARK: - As received

extension RemoteCamera {
    /// The frames until the source ends, in the shape that ``RemoteCameraOptions/content`` says: with
    /// ``RemoteCameraOptions/Content/encoded`` as received, for programs that store or pass them on.
    ///
    /// Throws what ``nextSample(timeout:)`` throws; a file's regular end and ``close()`` end the sequence instead.
    public var samples: Samples { Samples(camera: self) }

    /// Waits for the next frame, in the shape that ``RemoteCameraOptions/content`` says; otherwise as ``next(timeout:)``.
    ///
    /// - Parameter timeout: How long to wait at most; `nil`: until the camera ends.
    /// - Throws: As ``next(timeout:)``.
    public func nextSample(timeout: Duration? = nil) async throws -> SampleBuffer {
        try await core.next(timeout: timeout)
    }

    /// The frames of a camera in the shape that its options say, one after the other.
    public struct Samples: AsyncSequence, Sendable {
        fileprivate let camera: RemoteCamera

        /// Waits for the frames.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let camera: RemoteCamera

            /// The next frame; `nil` once the source came to its end or the camera was closed on this side.
            ///
            /// - Throws: What ``RemoteCamera/nextSample(timeout:)`` throws.
            public mutating func next() async throws -> SampleBuffer? {
                try await RemoteCamera.untilEnd { try await camera.nextSample() }
            }
        }

        /// Begins with the next frame.
        public func makeAsyncIterator() -> Iterator { Iterator(camera: camera) }
    }

    fileprivate static func untilEnd<Frame>(_ next: () async throws -> Frame) async throws -> Frame? {
        do {
            return try await next()
        } catch let error as RemoteCameraError
            where error.code == .closed || error.code == .ended && error.endReason == .endOfFile
        {
            return nil
        }
    }
}

// MARK: - Decoding what was handed out encoded

extension RemoteCamera {
    /// The frame as pixels; `nil` if it does not decode, and then the next one carries its drops.
    private func decoded(_ sample: SampleBuffer) async throws -> RemoteFrame? {
        guard case .encoded(let image) = sample.content else { return RemoteFrame(sample) }
        var sample = sample
        switch await core.decode(image) {
        case .success(let pixels):
            sample.content = .pixels(pixels)
            sample.drops = core.undecoded.withLock { $0.pass(epoch: sample.epoch, carrying: sample.drops) }
            return RemoteFrame(sample)
        case .failure(let error):
            core.undecoded.withLock { book in
                book.discard(carrying: sample.drops, reason: error == .outOfBuffers ? .outOfBuffers : .corrupt)
            }
            return nil
        }
    }
}

/// When a wait of several steps ends.
private struct Deadline {
    private let time: HostTime

    init(_ timeout: Duration) {
        time = HostTime.now().advanced(by: timeout.wholeNanoseconds)
    }

    var remaining: Duration { .nanoseconds(Int64(clamping: time.nanoseconds(since: .now()))) }
}
