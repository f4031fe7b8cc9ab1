import Bus
import BusTesting
import TestSupport
import Testing

/// Cycles, in which everybody waits for everybody. With queues that make their senders wait they would deadlock.
@Suite("Cycles with queues")
struct FeedbackTests {
    private final class Circle: Sendable {
        let (there, back) = (Subject(of: Int.self), Subject(of: Int.self))
        let (sent, heard, missing) = (Log<Int>(), Log<Int>(), Log<Int>())
        private let handles = CompoundDisposable()

        /// Each value that returns produces two, until `most` were made.
        init(_ first: some Scheduler, _ second: some Scheduler, limit: Int, most: Int) {
            let made = Lock(0)
            let send: @Sendable (Subject<Int, Never>, Int) -> Void = { subject, value in
                for _ in 0..<2 {
                    let isMade = made.withLock { made -> Bool in
                        made += 1
                        return made <= most
                    }
                    if isMade { subject.send(value + 1) }
                }
            }
            for (from, to, scheduler) in [
                (there, back, first as any Scheduler), (back, there, second as any Scheduler),
            ] {
                handles.add(
                    Self.hop(from, scheduler, limit).subscribe(
                        next: { [heard] value in
                            heard.append(value)
                            send(to, value)
                        },
                        lost: { [missing] in missing.append($0) }
                    )
                )
            }
        }

        private static func hop(_ subject: Subject<Int, Never>, _ scheduler: some Scheduler, _ limit: Int) -> AnySignal<
            Int, Never
        > {
            subject.deliver(on: scheduler, limit: limit).eraseToAnySignal()
        }

        var lost: Int { missing.entries.reduce(0, +) }

        func dispose() { handles.dispose() }
    }

    @Test("it neither deadlocks nor grows: it loses values, and every loss is reported", arguments: [1, 4, 64])
    func virtual(limit: Int) {
        let time = TestScheduler()
        let circle = Circle(time, time, limit: limit, most: 5_000)
        circle.there.send(0)
        time.run()
        #expect(circle.heard.entries.count + circle.lost == 5_001)
        #expect(circle.lost > 0)
        #expect(time.pendingCount == 0)
        circle.dispose()
    }

    @Test("the same with two threads", arguments: [1, 4, 64])
    func threads(limit: Int) {
        let (first, second) = (ThreadScheduler(name: "there"), ThreadScheduler(name: "back"))
        let count = Stress.rounds(5_000, stress: 100_000)
        let circle = Circle(first, second, limit: limit, most: count)
        circle.there.send(0)
        // It is over when every value was heard or lost. Every value is one or the other, and each is reported.
        while circle.heard.entries.count + circle.lost < count + 1, !RunLimit.isOver {
            first.settle()
            second.settle()
        }
        #expect(circle.heard.entries.count + circle.lost == count + 1)
        circle.dispose()
    }

    @Test("a sequence that feeds itself through a queue reaches its end")
    func itself() {
        let time = TestScheduler()
        let back = Subject(of: Int.self)
        let recorder = Recorder(
            Signals.from(0..<1_000).merge(back.deliver(on: time, limit: 2)).deliver(on: time, limit: 2)
                .on(next: { if $0 >= 0 { back.send(-1) } })
        )
        time.run()
        #expect(recorder.values.filter { $0 >= 0 } == Array(0..<1_000))
        #expect(recorder.values.filter { $0 < 0 }.count + recorder.lost == 1_000)
        back.complete()
        time.run()
        #expect(recorder.hasEnded)
    }
}
