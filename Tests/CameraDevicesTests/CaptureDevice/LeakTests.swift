import CameraCapture
import CameraProtocol
import Foundation
import TestSupport
import Testing

@testable import CameraDevices

@Suite("A session that starts and stops a hundred times")
struct LeakTests {
    @Test("leaves neither threads nor descriptors behind")
    func stopping() async {
        // In a process of its own, as other tests come and go with theirs.
        await #expect(processExitsWith: .success) {
            let (session, output) = (CaptureSession(), RecordingOutput())
            session.addInput(try CaptureDeviceInput(device: .testPattern))
            session.addOutput(output)
            session.sessionPreset = .low
            try Resources.expectSame {
                try session.start()
                _ = output.waitForSamples(1)
                session.stopRunning()
                output.clear()
            }
        }
    }

    @Test("leaves nothing behind when it is only let go of")
    func letGo() async {
        await #expect(processExitsWith: .success) {
            try Resources.expectSame {
                let (session, output) = (CaptureSession(), RecordingOutput())
                session.addInput(try CaptureDeviceInput(device: .testPattern))
                session.addOutput(output)
                session.sessionPreset = .low
                try session.start()
                _ = output.waitForSamples(1)
            }
        }
    }
}

/// What a process has of the system's.
private struct Resources: Equatable {
    struct Grown: Error {}

    var threads: Int
    var descriptors: Int

    static func now() throws -> Resources {
        func count(_ path: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: path).count }
        return Resources(threads: try count("/proc/self/task"), descriptors: try count("/proc/self/fd"))
    }

    /// Runs something a hundred times.
    ///
    /// - Throws: ``Grown`` if there are more threads or descriptors afterwards.
    static func expectSame(_ body: () throws -> Void) throws {
        // What libraries set up for good is there after the first times.
        for _ in 0..<3 { try body() }
        let before = try now()
        for _ in 0..<100 { try body() }
        let deadline = Date(timeIntervalSinceNow: 30)
        // A thread whose work is done takes a moment to end.
        while try now().threads > before.threads || now().descriptors > before.descriptors {
            guard Date() < deadline else { throw Grown() }
            sched_yield()
        }
    }
}
