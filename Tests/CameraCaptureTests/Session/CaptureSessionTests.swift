import CameraCapture
import CameraMedia
import CameraProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A capture session")
struct CaptureSessionTests {
    let session = CaptureSession()
    let input = ScriptedInput()
    let output = RecordingOutput()

    @Test("brings its input's events to its outputs, in order")
    func delivery() throws {
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        try input.deliver(sequence: 0)
        try input.deliver(sequence: 2, drops: DropCounts(.source))
        session.stopRunning()
        #expect(
            output.entries.map(\.name) == [
                "attached", "idle", "starting", "format", "running", "sample 0", "sample 2, source 1", "idle",
            ])
    }

    @Test("starts and stops once, however often it is asked to")
    func idempotence() throws {
        session.addInput(input)
        try session.start()
        try session.start()
        #expect(session.isRunning)
        session.stopRunning()
        session.stopRunning()
        #expect(!session.isRunning)
        try session.start()
        session.stopRunning()
        #expect(input.calls.withLock { $0 } == ["start", "stop", "start", "stop"])
    }

    @Test("can be started and stopped from many threads at once")
    func threads() {
        session.addInput(input)
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            if index % 2 == 0 { try? session.start() } else { session.stopRunning() }
        }
        session.stopRunning()
        let calls = input.calls.withLock { $0 }
        #expect(calls.count % 2 == 0)
        #expect(calls.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "start" : "stop") })
    }

    @Test("is stopped after a failed start, and can be started again")
    func failure() throws {
        input.failures.store(1, ordering: .relaxed)
        session.addInput(input)
        session.addOutput(output)
        #expect(throws: ScriptedInput.Failure.self) { try session.start() }
        #expect(!session.isRunning)
        try session.start()
        #expect(session.isRunning)
        #expect(output.states.map(\.state) == [.idle, .starting, .idle, .starting, .running])
    }

    @Test("gives an output that joins late the current format and state first, and a first sample without drops")
    func lateOutput() throws {
        session.addInput(input)
        try session.start()
        try input.deliver(sequence: 0)
        session.addOutput(output)
        try input.deliver(sequence: 5, drops: DropCounts(.source, 4))
        try input.deliver(sequence: 7, drops: DropCounts(.corrupt))
        #expect(
            output.entries.map(\.name) == ["attached", "format", "running", "sample 5", "sample 7, corrupt 1"])
    }

    @Test("reports no drops with the first sample of an epoch")
    func epoch() throws {
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        try input.deliver(sequence: 3, drops: DropCounts(.source, 3))
        try input.deliver(epoch: 2, sequence: 1, drops: DropCounts(.corrupt))
        try input.deliver(epoch: 2, sequence: 3, drops: DropCounts(.corrupt))
        #expect(output.entries.map(\.name).suffix(3) == ["sample 3", "sample 1", "sample 3, corrupt 1"])
    }

    @Test("delivers nothing to an output that was removed, nor after a stop")
    func silence() throws {
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        session.removeOutput(output)
        try input.deliver(sequence: 0)
        #expect(output.entries.last?.name == "detached")
        #expect(session.canAddOutput(output))
        let other = RecordingOutput()
        session.addOutput(other)
        session.stopRunning()
        try input.deliver(sequence: 1)
        #expect(other.samples.isEmpty)
    }

    @Test("takes one input and each output once")
    func limits() {
        #expect(session.canAddInput(input))
        session.addInput(input)
        #expect(!session.canAddInput(ScriptedInput()))
        session.addOutput(output)
        #expect(!session.canAddOutput(output))
        session.removeInput(input)
        #expect(session.canAddInput(input))
        #expect(output.entries.map(\.name) == ["attached", "idle", "detached"])
    }

    @Test("does not take what another session has, until that one removes it or is gone")
    func otherSession() {
        var other: CaptureSession? = CaptureSession()
        other?.addInput(input)
        other?.addOutput(output)
        #expect(!session.canAddInput(input))
        #expect(!session.canAddOutput(output))
        other?.removeInput(input)
        #expect(session.canAddInput(input))
        other = nil
        #expect(session.canAddOutput(output))
    }

    @Test("stops its input when nobody refers to it any more")
    func deallocation() throws {
        weak var released: CaptureSession?
        do {
            let session = CaptureSession()
            released = session
            session.addInput(input)
            session.addOutput(output)
            try session.start()
        }
        #expect(released == nil)
        #expect(input.calls.withLock { $0 } == ["start", "stop"])
        #expect(output.entries.last?.name == "detached")
    }
}

extension RecordingOutput.Entry {
    /// For comparison.
    var name: String {
        switch self {
        case .attached: "attached"
        case .detached: "detached"
        case .event(.format): "format"
        case .event(.state(let state)): state.state.name
        case .event(.sample(let sample)):
            "sample \(sample.sequence)" + (sample.drops.isEmpty ? "" : ", \(sample.drops)")
        }
    }
}
