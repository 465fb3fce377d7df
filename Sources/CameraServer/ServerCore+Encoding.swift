import CameraMedia

/// What is encoded when.
extension ServerCore {
    /// Gives idle encoders the frames that are due.
    func encodeNext() {
        while true {
            let ready = cameras.indices.flatMap { camera in
                cameras[camera].delivery.readyTurns.map { turn in
                    (turn: EncoderSchedule.Turn(camera: camera, rendition: turn.turn), isOrdered: turn.isOrdered)
                }
            }
            guard !ready.isEmpty, let turn = schedule.next(ready) else { return }
            let isOrdered = ready.first { $0.turn == turn }?.isOrdered ?? false
            guard let job = cameras[turn.camera].delivery.takeJob(from: turn.rendition) else {
                schedule.finished(isOrdered: isOrdered)
                continue
            }
            encoders.submit(job) { [weak self] outcome in
                self?.loop.execute { [weak self] in
                    self?.assumeIsolated { $0.finished(job, outcome, of: turn.camera) }
                }
            }
        }
    }

    private func finished(_ job: EncodeJob, _ outcome: EncoderPool.Outcome, of camera: Int) {
        schedule.finished(isOrdered: job.key.isOrdered)
        guard cameras.indices.contains(camera) else { return }
        var encoded: EncodedFrame?
        switch outcome {
        case .encoded(let frame):
            statistics.encodedFrameCount += 1
            encoded = frame
        case .failed(let reason):
            logOnce("\(cameras[camera].delivery.name): a frame cannot be encoded as \(job.key.codec.name): \(reason)")
        }
        cameras[camera].delivery.finished(job, encoded, at: .now())
        settle(camera)
    }
}
