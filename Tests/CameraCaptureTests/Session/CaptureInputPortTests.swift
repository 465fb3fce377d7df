import CameraCapture
import CameraMedia
import CameraProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("An input's port")
struct CaptureInputPortTests {
    let session = CaptureSession()
    let input = ScriptedInput()

    private func start() throws -> CaptureInputPort {
        session.addInput(input)
        try session.start()
        return try #require(input.port.withLock { $0 })
    }

    @Test("adds up what its outputs want")
    func sum() throws {
        let port = try start()
        #expect(!port.demand.isWanted)
        let first = RecordingOutput(demand: CaptureDemand(arrivals: 2, orderedCount: 1, isOrderedReady: false))
        session.addOutput(first)
        session.addOutput(RecordingOutput(demand: CaptureDemand(arrivals: 1, latestCount: 1, isLatestReady: true)))
        #expect(
            port.demand
                == CaptureDemand(
                    arrivals: 3, latestCount: 1, isLatestReady: true, orderedCount: 1, isOrderedReady: false))
        session.removeOutput(first)
        #expect(port.demand == CaptureDemand(arrivals: 1, latestCount: 1, isLatestReady: true))
    }

    @Test("wakes an input that waits for demand, and one that waits when the session stops")
    func waiting() async throws {
        let port = try start()
        let output = RecordingOutput(demand: CaptureDemand())
        session.addOutput(output)
        async let demand = Self.onThread { port.waitForDemand { $0.isWanted } }
        output.setDemand(CaptureDemand(arrivals: 1, latestCount: 1))
        #expect(await demand?.latestCount == 1)
        async let ended = Self.onThread { port.waitForDemand { _ in false } }
        session.stopRunning()
        #expect(await ended == nil)
    }

    @Test("returns the demand when the deadline passes")
    func deadline() throws {
        let port = try start()
        #expect(port.waitForDemand(until: HostTime.now().advanced(by: 1_000_000)) { $0.isWanted } == CaptureDemand())
        #expect(port.wait(until: HostTime(nanoseconds: 0)))
    }

    @Test("keeps the order for every output while outputs come and go on other threads")
    func order() throws {
        let port = try start()
        _ = port
        let outputs = (0..<8).map { _ in RecordingOutput() }
        DispatchQueue.concurrentPerform(iterations: 9) { index in
            if index == 8 {
                for sequence in 0..<2000 { try? input.deliver(sequence: UInt64(sequence)) }
            } else {
                for _ in 0..<20 {
                    session.addOutput(outputs[index])
                    session.removeOutput(outputs[index])
                }
                session.addOutput(outputs[index])
            }
        }
        try input.deliver(sequence: 2000)
        for output in outputs {
            let names = output.entries.map(\.name)
            #expect(names.last == "sample 2000")
            for (index, name) in names.enumerated() where name == "attached" {
                #expect(names[index...].prefix(3) == ["attached", "format", "running"])
            }
            let sequences = output.samples.map(\.sequence)
            #expect(sequences == sequences.sorted())
        }
    }

    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }
}
