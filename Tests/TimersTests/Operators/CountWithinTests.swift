import Bus
import BusTesting
import Testing
import Timers

@Suite("count(within:)")
struct CountWithinTests {
    private func counts(_ limit: Int = 1024, _ body: (TestScheduler, ProbeSource<Int, TestFailure>) -> Void) -> [Int] {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.count(within: .seconds(5), limit: limit, on: time))
        body(time, source)
        return recorder.values.map(\.count)
    }

    @Test("a value counts until it is older than the time")
    func slides() {
        let heard = counts { time, source in
            for step in [0, 2, 3, 1, 6] {
                time.advance(by: .seconds(step))
                source.send(1)
            }
        }
        // At 0, 2, 5, 6 and 12 s: the one at 0 is exactly 5 s old at 5 s.
        #expect(heard == [1, 2, 3, 3, 1])
    }

    @Test("the count stops at its limit, which is at least one")
    func limits() {
        let burst: (TestScheduler, ProbeSource<Int, TestFailure>) -> Void = { _, source in
            for _ in 0..<4 { source.send(1) }
        }
        #expect(counts(3, burst) == [1, 2, 3, 3])
        #expect(counts(-1, burst) == [1, 1, 1, 1])
    }

    @Test("lost values count, however many they are")
    func losses() {
        let heard = counts(10) { time, source in
            source.send(1)
            source.sendLoss(of: 3)
            source.send(1)
            source.sendLoss(of: 1 << 40)
            source.send(1)
            time.advance(by: .seconds(6))
            source.send(1)
        }
        #expect(heard == [1, 5, 10, 1])
    }

    @Test("each group of groupBy counts by itself")
    func groups() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let storms = source.groupBy(limit: 8) { $0 }
            .flatMap { $0.count(within: .seconds(10), limit: 3, on: time).filter { $0.count > 2 } }
        let recorder = time.record(storms.map(\.value))
        for value in [1, 2, 1, 2, 1] { source.send(value) }
        #expect(recorder.values == [1])
    }
}
