import CameraCapture
import CameraMedia
import CameraProtocol
import Foundation
import TestSupport
import Testing

@testable import CameraDevices

/// What only a driver can show; runs where there is a camera.
@Suite("This machine's camera", .serialized, .enabled(if: CaptureDevice.default(for: .video)?.formats.isEmpty == false))
struct RealCameraTests {
    let session = CaptureSession()
    let output = RecordingOutput()
    let device: CaptureDevice

    init() throws {
        device = try #require(CaptureDevice.default(for: .video))
    }

    @Test("is one object however it is found")
    func identity() throws {
        #expect(CaptureDevice.default(for: .video) === device)
        #expect(CaptureDevice.device(uniqueID: device.uniqueID) === device)
        let discovery = CaptureDevice.DiscoverySession(mediaType: .video, position: .unspecified)
        #expect(discovery.devices.contains { $0 === device })
        #expect(Set(discovery.devices.map(\.uniqueID)).count == discovery.devices.count)
        #expect(try CaptureDevice.device(atPath: #require(device.devicePath)) === device)
        #expect(device.isConnected)
    }

    @Test("is captured in its active format, and at no more than its rate")
    func activeFormat() throws {
        let smallest = try #require(device.formats.min { $0.size.pixelCount < $1.size.pixelCount })
        session.addInput(try CaptureDeviceInput(device: device))
        session.addOutput(output)
        try device.lockForConfiguration()
        try device.setActiveFormat(smallest)
        let rate = smallest.highestRate(upTo: try #require(FrameRate(10)))
        try device.setActiveVideoMinFrameDuration(FrameDuration(rate))
        device.unlockForConfiguration()
        try session.start()
        let sample = try #require(output.waitForSamples(1).first)
        #expect(sample.size == smallest.size)
        #expect(sample.sourceName == device.localizedName)
        #expect(output.formats.last?.frameRate == rate)
        session.stopRunning()
    }

    @Test("is busy for a second session while the first one captures, and free again afterwards")
    func busy() throws {
        let input = try CaptureDeviceInput(device: device)
        session.addInput(input)
        try session.start()
        let error = #expect(throws: CaptureInputError.self) { try CaptureDeviceInput(device: device) }
        #expect(error?.code == .busy)
        session.stopRunning()
        #expect(throws: Never.self) { try CaptureDeviceInput(device: device) }
    }

    @Test("goes on with another preset while the session runs")
    func presetWhileRunning() throws {
        session.sessionPreset = .low
        session.addInput(try CaptureDeviceInput(device: device))
        session.addOutput(output)
        try session.start()
        _ = output.waitForSamples(2)
        let format = device.activeFormat
        session.sessionPreset = .photo
        #expect(session.isRunning)
        #expect(device.activeFormat != format)
        let count = output.samples.count
        let samples = output.waitForSamples(count + 1)
        #expect(samples.last?.epoch != samples.first?.epoch)
        session.stopRunning()
    }

    /// Pulls the plug of the kernel's virtual camera, where this process may do that.
    @Test(
        "interrupts its session when it is unplugged, which goes on when it is back; both are reported",
        .enabled(if: access("/sys/bus/platform/drivers/vivid/unbind", W_OK) == 0))
    func unplugged() async throws {
        session.addInput(try CaptureDeviceInput(device: device))
        session.addOutput(output)
        let events = session.events
        var connections = CaptureDevice.connectionEvents.makeAsyncIterator()
        try session.start()
        try write(to: "unbind")
        #expect(await connections.next() == .wasDisconnected(device))
        _ = output.waitForState(.interrupted)
        #expect(session.isRunning && session.isInterrupted)
        #expect(!device.isConnected)
        #expect(throws: CaptureInputError.self) { try CaptureDeviceInput(device: device) }
        try write(to: "bind")
        #expect(await connections.next() == .wasConnected(device))
        var names: [String] = []
        for await event in events {
            names.append("\(event)")
            if names.count == 3 { break }
        }
        #expect(
            names == [
                "didStartRunning", "wasInterrupted(CameraProtocol.StateReason.disconnected)", "interruptionEnded",
            ])
        session.stopRunning()
    }

    private func write(to attribute: String) throws {
        let url = URL(filePath: "/sys/bus/platform/drivers/vivid/\(attribute)")
        try FileHandle(forWritingTo: url).write(contentsOf: Data("vivid.0".utf8))
    }
}
