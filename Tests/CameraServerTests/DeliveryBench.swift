import CameraCapture
import CameraMedia
import CameraProtocol
import Testing

@testable import CameraServer

/// A camera's delivery with frames that can be told apart, and encoders that the test plays.
struct DeliveryBench {
    struct Received: Equatable {
        let sequence: UInt64
        let drops: DropCounts
        let codec: ImageCodec
    }

    var delivery: CameraDelivery
    var now = HostTime(nanoseconds: 1_000_000_000_000)
    var epoch: UInt64 = 1
    var sequence: UInt64 = 0
    var frames: [SubscriptionID: [Received]] = [:]
    var statuses: [SubscriptionID: [CameraStatus]] = [:]
    var grants: [SubscriptionID: [Subscribed]] = [:]
    var refusals: [SubscriptionID: StreamGrant.Refusal] = [:]
    var codecChanges: [ImageCodec] = []
    private let pixels: PixelBuffer
    private let isJPEG: Bool

    init(
        size: PixelSize = PixelSize(width: 32, height: 16), frameRate: FrameRate? = .thirty, isJPEG: Bool = false,
        ceilings: StreamCeilings = StreamCeilings(size: nil, frameRate: nil, quality: 80)
    ) throws {
        delivery = CameraDelivery(name: "camera", ceilings: ceilings, encoderCount: 14)
        pixels = try PixelBuffer(
            width: Int(size.width), height: Int(size.height), pixelFormat: .i420, colorimetry: .webp
        ) { planes in
            for plane in planes { plane.base.update(repeating: 128, count: plane.byteCount) }
        }
        self.isJPEG = isJPEG
        delivery.formatChanged(
            to: CaptureFormat(
                size: size, frameRate: frameRate, codec: isJPEG ? .jpeg : .raw, pixelFormat: isJPEG ? nil : .i420,
                colorimetry: .webp), at: now)
        delivery.stateChanged(to: CaptureState(.running), at: now)
        note()
    }

    /// A stream of a client with the same number, unless another is named.
    mutating func subscribe(
        _ number: UInt64, of client: UInt64? = nil, credit: Int, _ request: StreamRequest = webp,
        accepted: [ImageCodec] = ImageCodec.allCases
    ) -> SubscriptionID {
        let id = SubscriptionID(number: number)
        delivery.subscribed(
            id, of: ClientID(number: client ?? number), request, accepted: accepted, credit: credit, at: now)
        note()
        return id
    }

    /// The camera delivers its next frame, after some that it lost.
    mutating func frame(lost: UInt64 = 0, after nanoseconds: UInt64 = 33_333_333) {
        now = now.advanced(by: nanoseconds)
        sequence += lost
        let image = EncodedImage(
            codec: .jpeg, width: pixels.width, height: pixels.height, colorimetry: .jpeg,
            data: SharedBytes(copying: [0xFF, 0xD8, 0xFF, 0xD9]))
        delivery.arrived(
            SampleBuffer(
                content: isJPEG ? .encoded(image) : .pixels(pixels),
                position: FramePosition(epoch: epoch, sequence: sequence), captureTime: CaptureTime(at: now),
                capturedAt: now, drops: DropCounts(.source, lost)), at: now)
        sequence += 1
        note()
    }

    /// An encoder takes what is next.
    mutating func take() -> EncodeJob? {
        guard let turn = delivery.readyTurns.min(by: { $0.turn < $1.turn }) else { return nil }
        return delivery.takeJob(from: turn.turn)
    }

    /// As ``take()``, where there has to be something to encode.
    mutating func need() throws -> EncodeJob {
        let job = take()
        return try #require(job)
    }

    mutating func finish(_ job: EncodeJob, failing: Bool = false) {
        let image = EncodedImage(
            codec: job.key.codec, width: Int(job.key.size.width), height: Int(job.key.size.height), colorimetry: .webp,
            data: SharedBytes(copying: [1]))
        delivery.finished(
            job, failing ? nil : EncodedFrame(job.frame, image: image, encodeStarted: now, encoded: now), at: now)
        note()
    }

    /// Encoders that take no time, and a client that takes all.
    mutating func encodeAll(crediting id: SubscriptionID) {
        note()
        while let job = take() {
            finish(job)
            credit(id)
        }
    }

    mutating func credit(_ id: SubscriptionID, _ count: Int = 1) {
        delivery.credited(id, count, at: now)
        note()
    }

    /// Frames that a client's connection has not taken.
    var waiting: [ClientID: Int] = [:]
    /// Clients that do not read.
    var stalled: Set<ClientID> = []

    /// A client reads again: all that waited is taken.
    mutating func resume(_ client: UInt64) {
        stalled.remove(ClientID(number: client))
        waiting[ClientID(number: client)] = 0
        delivery.connectionChanged(ClientID(number: client), waiting: 0, at: now)
        note()
    }

    /// Sorts out what the delivery decided.
    mutating func note() {
        while true {
            let actions = delivery.takeActions()
            guard !actions.isEmpty else { return }
            sort(actions)
            for client in delivery.outboxes.keys {
                delivery.connectionChanged(client, waiting: waiting[client] ?? 0, at: now)
            }
        }
    }

    private mutating func sort(_ actions: [CameraDelivery.Action]) {
        for action in actions {
            switch action {
            case .frame(let id, let metadata, _):
                if let client = delivery.subscriptions[id]?.client, stalled.contains(client) {
                    waiting[client, default: 0] += 1
                }
                frames[id, default: []].append(
                    Received(sequence: metadata.position.sequence, drops: metadata.drops, codec: metadata.codec))
            case .granted(let id, let grant): grants[id, default: []].append(grant)
            case .status(let id, let status): statuses[id, default: []].append(status)
            case .refused(let id, let refusal): refusals[id] = refusal
            case .codecChanged(_, let change): codecChanges.append(change.codec)
            }
        }
    }

    func sequences(_ id: SubscriptionID) -> [UInt64] { frames[id, default: []].map(\.sequence) }

    /// What the protocol promises of a stream within an epoch.
    func checkAccount(_ id: SubscriptionID, sourceLocation: SourceLocation = #_sourceLocation) {
        var last: Received?
        for frame in frames[id, default: []] {
            if let last {
                #expect(frame.sequence > last.sequence, sourceLocation: sourceLocation)
                #expect(
                    frame.drops.total == frame.sequence - last.sequence - 1, "\(frame)",
                    sourceLocation: sourceLocation)
            } else {
                #expect(frame.drops.isEmpty, sourceLocation: sourceLocation)
            }
            last = frame
        }
    }
}

let webp = StreamRequest(codecs: .inOrder([.webp]))
