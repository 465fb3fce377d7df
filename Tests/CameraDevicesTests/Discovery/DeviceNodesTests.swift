import CameraCapture
import Foundation
import TestSupport
import Testing

@testable import CameraDevices

@Suite("Device nodes")
struct DeviceNodesTests {
    private let folder: TemporaryDirectory
    private let nodes: DeviceNodes

    init() throws {
        folder = try TemporaryDirectory()
        nodes = DeviceNodes(devices: "\(folder.path)/dev", attributes: "\(folder.path)/sys")
        try FileManager.default.createDirectory(atPath: nodes.devices, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to path: String) throws {
        let url = URL(fileURLWithPath: "\(folder.path)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    @Test("are listed by number")
    func order() throws {
        for name in ["video10", "video2", "videotape", "audio1", "video0"] { try write("", to: "dev/\(name)") }
        #expect(nodes.paths() == ["video0", "video2", "video10"].map { "\(nodes.devices)/\($0)" })
    }

    @Test("have a stable name where the system made one")
    func link() throws {
        try write("", to: "dev/video0")
        let path = "\(nodes.devices)/video0"
        #expect(nodes.stableLink(to: path) == nil)
        let link = "\(nodes.devices)/v4l/by-id/usb-Camera-video-index0"
        try FileManager.default.createDirectory(
            atPath: "\(nodes.devices)/v4l/by-id", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../../video0")
        #expect(nodes.stableLink(to: path) == link)
        #expect(nodes.stableLink(to: link) == link)
    }

    @Test("are described by the kernel, whoever may open them")
    func attributes() throws {
        try write("", to: "dev/video0")
        let path = "\(nodes.devices)/video0"
        #expect(nodes.name(of: path) == nil)
        #expect(nodes.position(of: path) == .unspecified)
        try write("Integrated Camera\n", to: "sys/video0/name")
        try write("1\n", to: "sys/video0/index")
        try write("front\n", to: "sys/video0/device/physical_location/panel")
        #expect(nodes.name(of: path) == "Integrated Camera")
        #expect(nodes.index(of: path) == 1)
        #expect(nodes.position(of: path) == .front)
    }

    @Test("that are no cameras are left out")
    func discovery() throws {
        try write("", to: "dev/video0")
        let discovery = DeviceRegistry(nodes: nodes).discover()
        #expect(discovery.devices.isEmpty && discovery.failures.isEmpty)
    }

    @Test("discovery lists the test pattern if it is asked for, and finds it by its identifier")
    func testPattern() {
        let all = CaptureDevice.DiscoverySession(deviceTypes: [.camera, .testPattern]).devices
        #expect(all.last === CaptureDevice.testPattern)
        let cameras = CaptureDevice.DiscoverySession(mediaType: .video, position: .unspecified).devices
        #expect(all.dropLast() == cameras[...])
        #expect(CaptureDevice.device(uniqueID: CaptureDevice.testPattern.uniqueID) === CaptureDevice.testPattern)
        #expect(CaptureDevice.default(for: .video) != .testPattern)
    }
}
