import CameraCapture
import CameraMedia
import CameraProtocol
import Testing

@testable import CameraDevices

@Suite("The pacing of a file")
struct FilePacingTests {
    let newest = CaptureDemand(arrivals: 1, latestCount: 1)
    let start = HostTime(nanoseconds: 5_000_000_000)

    private func time(_ milliseconds: UInt64) -> HostTime { start.advanced(by: milliseconds * 1_000_000) }

    private func pacing(_ pace: FilePace = .realTime) throws -> FilePacing {
        FilePacing(pace: pace, rate: try #require(FrameRate(10)))
    }

    @Test("in real time is the file's own rate, whether consumers are ready or not")
    func realTime() throws {
        var pacing = try pacing()
        #expect(pacing.step(for: newest, now: time(0)) == .deliver(at: time(0)))
        pacing.passed()
        #expect(pacing.step(for: newest, now: time(30)) == .wait(until: time(100)))
        #expect(pacing.step(for: newest, now: time(104)) == .deliver(at: time(100)))
        pacing.passed()
        #expect(pacing.step(for: newest, now: time(150)) == .wait(until: time(200)))
    }

    @Test("goes on from now when the file falls behind")
    func late() throws {
        var pacing = try pacing()
        _ = pacing.step(for: newest, now: time(0))
        pacing.passed()
        #expect(pacing.step(for: newest, now: time(1000)) == .deliver(at: time(1000)))
        pacing.passed()
        #expect(pacing.step(for: newest, now: time(1001)) == .wait(until: time(1100)))
    }

    @Test("follows the consumers while all of them want every frame")
    func ordered() throws {
        var pacing = try pacing()
        var demand = CaptureDemand(arrivals: 1, orderedCount: 2, isOrderedReady: false)
        #expect(pacing.step(for: demand, now: time(0)) == .wait(until: nil))
        demand.isOrderedReady = true
        #expect(pacing.step(for: demand, now: time(1)) == .deliver(at: time(1)))
        pacing.passed()
        #expect(pacing.step(for: demand, now: time(1)) == .deliver(at: time(1)))
        demand.latestCount = 1
        #expect(pacing.step(for: demand, now: time(2)) == .deliver(at: time(2)))
        pacing.passed()
        #expect(pacing.step(for: demand, now: time(3)) == .wait(until: time(102)))
    }

    @Test("on demand follows whoever is ready")
    func onDemand() throws {
        var pacing = try pacing(.demand)
        #expect(pacing.step(for: newest, now: time(0)) == .wait(until: nil))
        #expect(
            pacing.step(for: CaptureDemand(latestCount: 1, isLatestReady: true), now: time(0)) == .deliver(at: time(0)))
    }

    @Test("rests while nobody looks, and goes on where it was")
    func rest() throws {
        var pacing = try pacing()
        _ = pacing.step(for: newest, now: time(0))
        pacing.passed()
        #expect(pacing.step(for: CaptureDemand(arrivals: 1), now: time(50)) == .wait(until: nil))
        #expect(pacing.step(for: newest, now: time(9000)) == .deliver(at: time(9000)))
    }
}
