import CameraCapture
import CameraProtocol
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A session's events")
struct CaptureSessionEventTests {
    let session = CaptureSession()
    let input = ScriptedInput()

    @Test("tell of starts, stops, interruptions and the end, in order")
    func sequence() async throws {
        let events = session.events
        session.addInput(input)
        session.startRunning()
        input.deliver(.state(CaptureState(.interrupted, reason: .disconnected)))
        #expect(session.isInterrupted)
        input.deliver(.state(CaptureState(.interrupted, reason: .disconnected)))
        input.deliver(.state(CaptureState(.running)))
        #expect(!session.isInterrupted)
        input.deliver(.state(CaptureState(.ended, reason: .endOfFile)))
        session.stopRunning()
        session.stopRunning()
        #expect(
            await events.names(5) == [
                "didStartRunning", "wasInterrupted disconnected", "interruptionEnded", "inputDidEnd endOfFile",
                "didStopRunning",
            ])
    }

    @Test("tell why a session could not start, unless that is thrown")
    func failure() async {
        let events = session.events
        session.addInput(input)
        input.failures.store(2, ordering: .relaxed)
        #expect(throws: ScriptedInput.Failure.self) { try session.start() }
        session.startRunning()
        #expect(!session.isRunning)
        session.startRunning()
        #expect(await events.names(2) == ["runtimeError", "didStartRunning"])
    }

    @Test("end with the session, which they do not keep alive")
    func end() async {
        var released: CaptureSession? = CaptureSession()
        let events = released?.events
        released?.startRunning()
        released = nil
        #expect(await events?.names(3) == ["didStartRunning", "didStopRunning"])
    }

    @Test("come to the delegate on its queue, in order; it may stop the session")
    func delegate() async {
        let queue = DispatchQueue(label: "delegate")
        let delegate = StoppingDelegate()
        session.setDelegate(delegate, queue: queue)
        let events = session.events
        session.addInput(input)
        session.startRunning()
        _ = await events.names(2)
        queue.sync {}
        #expect(delegate.calls.withLock { $0 } == ["did start", "did stop"])
        #expect(!session.isRunning)
    }

    @Test("a stop from within an output, on the input's thread, takes place")
    func stopWithinOutput() async throws {
        let events = session.events
        session.addInput(input)
        let session = session
        session.addOutput(CallingOutput { [weak session] in session?.stopRunning() })
        session.startRunning()
        try input.deliver(sequence: 0)
        #expect(await events.names(2) == ["didStartRunning", "didStopRunning"])
        #expect(input.history == ["start", "stop"])
    }

    private final class StoppingDelegate: CaptureSessionDelegate {
        let calls = Mutex<[String]>([])

        func captureSessionDidStartRunning(_ session: CaptureSession) {
            calls.withLock { $0.append("did start") }
            session.stopRunning()
        }

        func captureSessionDidStopRunning(_ session: CaptureSession) {
            calls.withLock { $0.append("did stop") }
        }
    }
}

/// Calls somebody with each sample.
final class CallingOutput: CaptureOutput {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    func attach(to connection: CaptureConnection) {}
    func detach(from connection: CaptureConnection) {}
    func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
        if case .sample = event { body() }
    }
}

extension AsyncStream<CaptureSession.Event> {
    /// Waits for the next events.
    func names(_ count: Int) async -> [String] {
        var names: [String] = []
        for await event in self {
            names.append(event.name)
            if names.count == count { break }
        }
        return names
    }
}

extension CaptureSession.Event {
    /// For comparison.
    var name: String {
        switch self {
        case .didStartRunning: "didStartRunning"
        case .didStopRunning: "didStopRunning"
        case .runtimeError: "runtimeError"
        case .wasInterrupted(let reason): "wasInterrupted \(reason.name)"
        case .interruptionEnded: "interruptionEnded"
        case .inputDidEnd(let reason): "inputDidEnd \(reason.name)"
        }
    }
}
