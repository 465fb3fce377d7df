import CameraCapture
import CameraProtocol
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite("A session's configuration")
struct SessionConfigurationTests {
    let session = CaptureSession()
    let input = ScriptedInput()
    let output = RecordingOutput()

    @Test("changes all at once, and starts a running input again once")
    func commit() throws {
        session.addInput(input)
        try session.start()
        session.beginConfiguration()
        session.sessionPreset = .low
        session.beginConfiguration()
        session.frameRate = FrameRate(15)
        session.addOutput(output)
        session.commitConfiguration()
        #expect(session.sessionPreset == .low)
        #expect(session.outputs.count == 1)
        #expect(session.connections.isEmpty)
        #expect(input.history == ["start"])
        session.commitConfiguration()
        #expect(input.history == ["start", "stop", "start"])
        #expect(session.connections.map { $0.output === output } == [true])
        #expect(output.entries.map(\.name) == ["attached", "format", "running"])
    }

    @Test("does not start an input again for what does not concern it")
    func outputsOnly() throws {
        session.addInput(input)
        try session.start()
        session.sessionPreset = .high
        session.addOutput(output)
        session.removeOutput(output)
        #expect(input.history == ["start"])
        session.sessionPreset = .medium
        #expect(input.history == ["start", "stop", "start"])
    }

    @Test("gets another input while the session runs")
    func replacement() throws {
        let other = ScriptedInput(localizedName: "Other")
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        try session.configure {
            session.removeInput(input)
            #expect(session.canAddInput(other))
            session.addInput(other)
        }
        try other.deliver(epoch: 2, sequence: 0)
        #expect(input.history == ["start", "stop"])
        #expect(session.isRunning)
        #expect(
            output.entries.map(\.name).suffix(6) == ["idle", "detached", "attached", "format", "running", "sample 0"])
        #expect(output.samples.map(\.sourceName) == ["Other"])
    }

    @Test("may lose its input and get one while the session runs")
    func removal() throws {
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        session.removeInput(input)
        #expect(session.isRunning && session.inputs.isEmpty)
        session.addInput(input)
        #expect(input.history == ["start", "stop", "start"])
        try input.deliver(sequence: 0)
        #expect(output.samples.count == 1)
    }

    @Test("stays as it was when the input refuses it")
    func refusal() throws {
        let input = ScriptedInput(refusing: .low)
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        #expect(!session.canSetSessionPreset(.low))
        let other = RecordingOutput()
        #expect(throws: ScriptedInput.Failure.self) {
            try session.configure {
                session.sessionPreset = .low
                session.removeOutput(output)
                session.addOutput(other)
            }
        }
        #expect(session.isRunning)
        #expect(session.sessionPreset == .high)
        #expect(session.outputs.map { $0 === output } == [true])
        #expect(other.entries.isEmpty)
        try input.deliver(sequence: 0)
        #expect(output.samples.count == 1)
    }

    @Test("stays as it was when the changes throw, nested ones too")
    func thrown() throws {
        session.addOutput(output)
        try session.configure {
            session.sessionPreset = .photo
            #expect(throws: CancellationError.self) {
                try session.configure {
                    session.sessionPreset = .low
                    session.addInput(input)
                    throw CancellationError()
                }
            }
            #expect(session.sessionPreset == .photo)
        }
        #expect(session.sessionPreset == .photo)
        #expect(session.canAddInput(input))
        #expect(output.entries.isEmpty)
    }

    @Test("that cannot be had back stops the session")
    func hopeless() async throws {
        session.addInput(input)
        try session.start()
        let events = session.events
        input.failures.store(2, ordering: .relaxed)
        session.sessionPreset = .low
        #expect(!session.isRunning)
        #expect(await events.names(3) == ["runtimeError", "didStopRunning", "runtimeError"])
        try session.start()
        #expect(session.sessionPreset == .high)
    }

    @Test("can be changed from many threads at once")
    func threads() {
        session.addInput(input)
        session.startRunning()
        let outputs = (0..<8).map { _ in RecordingOutput() }
        let presets: [SessionPreset] = [.low, .medium]
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            session.sessionPreset = presets[index % 2]
            if index < 8 { session.addOutput(outputs[index]) } else { session.stopRunning() }
            session.startRunning()
        }
        #expect(session.isRunning)
        #expect(session.connections.count == 8)
        #expect(input.history.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "start" : "stop") })
    }
}
