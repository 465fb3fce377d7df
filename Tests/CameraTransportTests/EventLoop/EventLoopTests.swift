import CameraMedia
import CameraTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    private actor Resident {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        var log: [Int] = []

        init(_ loop: EventLoop) { self.loop = loop }

        func note(_ number: Int) { log.append(number) }

        var isOnLoop: Bool { loop.isCurrent }
    }

    @Test func runsWhatIsPostedInOrderOnItsThread() async throws {
        let loop = try EventLoop.shared()
        let resident = Resident(loop)
        #expect(!loop.isCurrent)
        for number in 0..<1000 {
            loop.execute { resident.assumeIsolated { $0.note(number) } }
        }
        #expect(await resident.log == Array(0..<1000))
        #expect(await resident.isOnLoop)
    }

    @Test func timersRunInTheirOrderAndCancelledOnesDoNot() async throws {
        let loop = try EventLoop.shared()
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        loop.execute {
            let now = HostTime.now()
            loop.schedule(at: now.advanced(by: 3_000_000)) {
                continuation.yield(3)
                continuation.finish()
            }
            loop.schedule(at: now.advanced(by: 1_000_000)) { continuation.yield(1) }
            let cancelled = loop.schedule(at: now.advanced(by: 2_000_000)) { continuation.yield(2) }
            loop.cancel(cancelled)
        }
        var order: [Int] = []
        for await number in numbers { order.append(number) }
        #expect(order == [1, 3])
    }
}
