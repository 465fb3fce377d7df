import CameraCapture
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CameraDevices

@Suite("Cameras that come and go")
struct DeviceMonitorTests {
    @Test("are reported in order, those that were there before only when they go")
    func events() async throws {
        let folder = try TemporaryDirectory()
        func make(_ name: String) {
            _ = FileManager.default.createFile(atPath: "\(folder.path)/\(name)", contents: nil)
        }
        func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
        make("video0")
        let events = CaptureDevice.connectionEvents(of: DeviceNodes(devices: folder.path)) { path in
            // As metadata nodes, which are no cameras.
            path.hasSuffix("7") ? nil : CaptureDevice(uniqueID: path, localizedName: path, devicePath: path)
        }
        make("video7")
        make("video2")
        make("audio3")
        try remove("video0")
        try remove("video7")
        make("video0")
        var names: [String] = []
        for await event in events {
            switch event {
            case .wasConnected(let device): names.append("+" + device.uniqueID.suffix(6))
            case .wasDisconnected(let device): names.append("-" + device.uniqueID.suffix(6))
            }
            if names.count == 3 { break }
        }
        #expect(names == ["+video2", "-video0", "+video0"])
    }

    @Test("are looked at again when their node's permissions change")
    func permissions() async throws {
        let folder = try TemporaryDirectory()
        let looks = Counter()
        let events = CaptureDevice.connectionEvents(of: DeviceNodes(devices: folder.path)) { path in
            looks.next() == 0 ? nil : CaptureDevice(uniqueID: path, localizedName: path, devicePath: path)
        }
        try Data().write(to: folder.url.appending(path: "video0"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "video0"))
        var iterator = events.makeAsyncIterator()
        guard case .wasConnected(let device) = await iterator.next() else {
            Issue.record("no camera was reported")
            return
        }
        #expect(device.devicePath?.hasSuffix("/video0") == true)
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)
        func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    }
}
