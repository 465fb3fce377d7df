import Testing

@testable import CameraServer

@Suite("The encoders' schedule")
struct EncoderScheduleTests {
    private func turn(_ rendition: UInt64) -> EncoderSchedule.Turn {
        EncoderSchedule.Turn(camera: 0, rendition: rendition)
    }

    @Test("serves renditions in turn")
    func fairness() {
        var schedule = EncoderSchedule(encoderCount: 1)
        var served: [UInt64] = []
        for _ in 0..<6 {
            guard let next = schedule.next([1, 2, 3].map { (turn($0), false) }) else { break }
            served.append(next.rendition)
            schedule.finished(isOrdered: false)
        }
        #expect(served == [1, 2, 3, 1, 2, 3])
    }

    @Test("queues one more job for each encoder where every frame is wanted, and no other")
    func surplus() {
        var schedule = EncoderSchedule(encoderCount: 2)
        let ordered = (0..<5).map { _ in schedule.next([(turn(1), true)]) }
        #expect(ordered == [turn(1), turn(1), turn(1), turn(1), nil])
        schedule = EncoderSchedule(encoderCount: 2)
        let latest = (0..<3).map { _ in schedule.next([(turn(1), false)]) }
        #expect(latest == [turn(1), turn(1), nil])
    }

    @Test("lets a busy ordered stream starve nobody")
    func starvation() {
        var schedule = EncoderSchedule(encoderCount: 2)
        var running: [Bool] = []
        var latest = 0
        for _ in 0..<1_000 {
            while let next = schedule.next([(turn(1), true), (turn(2), false)]) {
                running.append(next == turn(1))
                if next == turn(2) { latest += 1 }
            }
            schedule.finished(isOrdered: running.removeFirst())
        }
        #expect(latest > 300)
        #expect(latest < 700)
    }
}
