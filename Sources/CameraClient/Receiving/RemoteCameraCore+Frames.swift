import CameraImaging
import CameraMedia
import CameraProtocol

extension RemoteCameraCore {
    /// A frame came.
    func received(_ metadata: FrameMetadata, payload: SharedBytes?) {
        let now = HostTime.now()
        policy.received()
        count { counts in
            counts.receivedCount += 1
            counts.receivedByteCount += UInt64(payload?.count ?? 0)
        }
        let frame = payload.map { makeFrame(metadata, payload: $0, receivedAt: now) }
        flow.received(frame, metadata: metadata, at: now)
        perform()
    }

    /// A decoder is done.
    func decoded(_ number: UInt64, result: Result<PixelBuffer, ImagingError>) {
        switch result {
        case .success(let pixels): flow.decoded(number, pixels: pixels)
        case .failure(.outOfBuffers): flow.decodingFailed(number, reason: .outOfBuffers)
        case .failure: flow.decodingFailed(number, reason: .corrupt)
        }
        perform()
    }

    /// Decodes an image that was handed out as received.
    nonisolated func decode(_ image: EncodedImage) async -> Result<PixelBuffer, ImagingError> {
        await withCheckedContinuation { continuation in
            decoder.decode(image) { continuation.resume(returning: $0) }
        }
    }

    private func makeFrame(_ metadata: FrameMetadata, payload: SharedBytes, receivedAt now: HostTime) -> ReceivedFrame {
        var estimate = clock.estimate(serverTime: metadata.captureTime, at: now)
        // No picture was taken after it came, whatever its server says.
        if let time = estimate?.time { estimate?.time = min(time, now) }
        // Before the clocks were compared: as if the frame had needed no time on the way.
        let onServer = metadata.stages.sent - min(metadata.captureTime, metadata.stages.sent)
        var time = estimate?.time ?? HostTime(nanoseconds: now.nanoseconds - min(onServer, now.nanoseconds))
        // A better estimate must not turn time back within an epoch.
        if let last = lastCaptureTime, last.epoch == metadata.position.epoch { time = max(time, last.time) }
        let shift = estimate.map { time.nanoseconds(since: $0.time) } ?? 0
        lastCaptureTime = (metadata.position.epoch, time)
        let image = EncodedImage(
            codec: metadata.codec, width: Int(metadata.size.width), height: Int(metadata.size.height),
            pixelFormat: metadata.pixelFormat, colorimetry: metadata.colorimetry, data: payload)
        let sample = SampleBuffer(
            content: .encoded(image), position: metadata.position,
            captureTime: CaptureTime(host: time, utcNanoseconds: metadata.captureTimeUTC), capturedAt: now,
            duration: grant?.frameRate.map { FrameDuration($0) },
            captureTimeUncertainty: estimate.map { $0.uncertainty.addingSaturated(shift) } ?? .max,
            sourceName: sourceName,
            transfer: SampleBuffer.Transfer(codec: metadata.codec, byteCount: payload.count))
        return ReceivedFrame(sample: sample, isClockKnown: estimate != nil)
    }
}

extension UInt64 {
    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
