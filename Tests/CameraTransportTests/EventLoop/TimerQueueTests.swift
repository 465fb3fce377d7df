import CameraMedia
import CameraTransport
import Testing

struct TimerQueueTests {
    private func at(_ nanoseconds: UInt64) -> HostTime { HostTime(nanoseconds: nanoseconds) }

    @Test func momentsComeInOrder() {
        var queue = TimerQueue()
        let times: [UInt64] = [50, 10, 40, 10, 30, 20, 60]
        let ids = times.map { queue.add(at: at($0)) }
        #expect(queue.next == at(10))
        var order: [Int] = []
        while let id = queue.popDue(at: at(45)), let index = ids.firstIndex(of: id) { order.append(index) }
        // Equal times in the order in which they were added.
        #expect(order == [1, 3, 5, 4, 2])
        #expect(queue.next == at(50))
    }

    @Test func whatWasCancelledDoesNotCome() {
        var queue = TimerQueue()
        let first = queue.add(at: at(1))
        let second = queue.add(at: at(2))
        queue.cancel(first)
        queue.cancel(first)
        #expect(queue.next == at(2))
        #expect(queue.popDue(at: at(9)) == second)
        #expect(queue.popDue(at: at(9)) == nil)
        #expect(queue.next == nil)
    }

    @Test func manyCancelledOnesLeaveTheOthersInOrder() {
        var queue = TimerQueue()
        let ids = (0..<1000).map { queue.add(at: at(UInt64($0 * 7919 % 1000))) }
        let kept = Set(ids.indices.filter { $0 % 10 == 0 })
        for index in ids.indices where !kept.contains(index) { queue.cancel(ids[index]) }
        var times: [Int] = []
        while let id = queue.popDue(at: at(1000)), let index = ids.firstIndex(of: id) {
            #expect(kept.contains(index))
            times.append(index * 7919 % 1000)
        }
        #expect(times == times.sorted())
        #expect(times.count == kept.count)
    }
}
