import CameraCapture
import CameraProtocol
import Synchronization
import TestSupport
import Testing

@Suite("A connection")
struct CaptureConnectionTests {
    let session = CaptureSession()
    let input = ScriptedInput()

    private func connect(_ output: any CaptureOutput) throws -> CaptureConnection {
        session.addInput(input)
        session.addOutput(output)
        try session.start()
        return try #require(session.connections.first)
    }

    @Test("that is disabled delivers and wants nothing, and reports the gap afterwards")
    func disabled() throws {
        let output = RecordingOutput()
        let connection = try connect(output)
        let port = try #require(connection.inputPort)
        try input.deliver(sequence: 3)
        connection.isEnabled = false
        #expect(!connection.isEnabled)
        #expect(port.demand == CaptureDemand(arrivals: 1))
        try input.deliver(sequence: 4)
        try input.deliver(sequence: 9, drops: DropCounts(.source, 4))
        connection.isEnabled = true
        #expect(port.demand.isWanted)
        try input.deliver(sequence: 11, drops: DropCounts(.corrupt))
        try input.deliver(sequence: 13, drops: DropCounts(.corrupt))
        #expect(
            output.entries.map(\.name).suffix(3) == ["sample 3", "sample 11, discontinuity 7", "sample 13, corrupt 1"])
        #expect(SampleBuffer.gapsEqualDrops(output.samples))
    }

    @Test("that was disabled from the start, or over a change of epoch, begins without drops")
    func noGap() throws {
        let output = RecordingOutput()
        let connection = try connect(output)
        connection.isEnabled = false
        try input.deliver(sequence: 0)
        connection.isEnabled = true
        try input.deliver(sequence: 2, drops: DropCounts(.source))
        connection.isEnabled = false
        try input.deliver(epoch: 2, sequence: 0)
        connection.isEnabled = true
        try input.deliver(epoch: 2, sequence: 2, drops: DropCounts(.source))
        #expect(output.entries.map(\.name).suffix(2) == ["sample 2", "sample 2"])
    }

    @Test("tells its output how pictures are to be turned and mirrored")
    func transform() throws {
        let output = TurningOutput()
        let connection = try connect(output)
        #expect(connection.videoTransform.isIdentity)
        connection.videoOrientation = .portrait
        connection.videoRotationAngle = 90
        connection.isVideoMirrored = true
        #expect(connection.videoRotationAngle == 90)
        #expect(
            output.transforms.withLock { $0 } == [
                VideoTransform(orientation: .portrait), VideoTransform(orientation: .portrait, isMirrored: true),
            ])
        #expect(connection.isVideoRotationAngleSupported(270))
        #expect(!connection.isVideoRotationAngleSupported(45))
        #expect(connection.output === output)
    }

    private final class TurningOutput: CaptureOutput {
        let supportsVideoTransform = true
        let transforms = Mutex<[VideoTransform]>([])

        func attach(to connection: CaptureConnection) {}
        func detach(from connection: CaptureConnection) {}
        func receive(_ event: CaptureEvent, from connection: CaptureConnection) {}
        func connectionDidChange(_ connection: CaptureConnection) {
            transforms.withLock { $0.append(connection.videoTransform) }
        }
    }
}
