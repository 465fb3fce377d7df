import CameraMedia
import CameraProtocol

@testable import CameraClient

/// Drives a frame flow without a connection, a decoder or a clock.
struct FlowDriver {
    var flow: FrameFlow
    /// Nanoseconds.
    var now: UInt64 = 1_000_000_000
    /// The credit that the flow gave and that was not used.
    var credit = 0
    /// What the consumer got.
    var received: [SampleBuffer] = []
    /// What decoders have.
    var decoding: [(number: UInt64, image: EncodedImage)] = []
    var acknowledged: [FramePosition] = []

    init(_ configuration: FrameFlow.Configuration) {
        flow = FrameFlow(configuration)
        connect()
    }

    mutating func connect() {
        credit = Int(flow.subscribing(at: HostTime(nanoseconds: now)))
        flow.granted(.thirty)
        settle()
    }

    /// Performs everything but decoding.
    mutating func settle() {
        while let action = flow.nextAction(at: HostTime(nanoseconds: now)) {
            switch action {
            case .giveCredit(let count): credit += Int(count)
            case .acknowledge(let position): acknowledged.append(position)
            case .decode(let number, let image): decoding.append((number, image))
            case .handOut(let sample): received.append(sample)
            }
        }
    }

    /// A frame comes, captured `age` nanoseconds ago.
    mutating func receive(
        _ sequence: UInt64, epoch: UInt64 = 1, drops: DropCounts = DropCounts(), age: UInt64 = 0,
        uncertainty: UInt64 = 0, hasPayload: Bool = true, isClockKnown: Bool = true
    ) {
        credit -= 1
        let position = FramePosition(epoch: epoch, sequence: sequence)
        let metadata = FrameMetadata(
            position: position, captureTime: 0, captureTimeUTC: 0,
            stages: StageTimes(captured: 0, encodeStarted: 0, encoded: 0, sent: 0),
            size: PixelSize(width: 1, height: 1), codec: .raw, pixelFormat: .gray8, colorimetry: .jpeg, drops: drops)
        let sample = SampleBuffer(
            content: .encoded(.pixel(UInt8(truncatingIfNeeded: sequence))), position: position,
            captureTime: CaptureTime(host: HostTime(nanoseconds: now - age), utcNanoseconds: 0),
            capturedAt: HostTime(nanoseconds: now), captureTimeUncertainty: uncertainty)
        let frame = hasPayload ? ReceivedFrame(sample: sample, isClockKnown: isClockKnown) : nil
        flow.received(frame, metadata: metadata, at: HostTime(nanoseconds: now))
        settle()
    }

    mutating func ask(after time: UInt64? = nil, isPoll: Bool = false) {
        flow.asked(after: time.map(HostTime.init(nanoseconds:)), isPoll: isPoll, at: HostTime(nanoseconds: now))
        settle()
    }

    mutating func withdraw() {
        flow.askWithdrawn(0, at: HostTime(nanoseconds: now))
        settle()
    }

    /// A decoder is done with the image it got at `index`.
    mutating func finishDecoding(at index: Int = 0, failing reason: DropReason? = nil) throws {
        let job = decoding.remove(at: index)
        if let reason {
            flow.decodingFailed(job.number, reason: reason)
        } else {
            let pixels = try PixelBuffer(
                width: 1, height: 1, pixelFormat: .gray8, colorimetry: .jpeg,
                fill: { $0[0].base.pointee = job.image.data.array[0] })
            flow.decoded(job.number, pixels: pixels)
        }
        settle()
    }

    /// The sequences that the consumer got.
    var sequences: [UInt64] { received.map(\.sequence) }

    /// Whether every gap within an epoch equals the drops reported, and first frames carry none.
    var gapsEqualDrops: Bool {
        var last: SampleBuffer?
        for sample in received {
            defer { last = sample }
            let expected = last.map { $0.epoch == sample.epoch ? sample.sequence - $0.sequence - 1 : 0 } ?? 0
            guard sample.drops.total == expected else { return false }
        }
        return true
    }
}
