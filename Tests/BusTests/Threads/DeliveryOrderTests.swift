import Bus
import BusTesting
import Testing

/// What the libraries disagree on (errors before or behind values, disposal, bounds), on every kind of scheduler.
@Suite("deliver(on:) in order")
struct DeliveryOrderTests {
    private actor Stage {}

    private static let schedulers: [any Scheduler & Sendable] = [
        ThreadScheduler(name: "order"), ConcurrentScheduler(name: "order", threads: 3), ActorScheduler(Stage()),
    ]

    private static func deliver<Target: Scheduler>(
        on scheduler: Target,
        _ end: (Subject<Int, TestFailure>) -> Void
    ) -> Recorder<Int, TestFailure> {
        let gate = Latch()
        scheduler.schedule { gate.wait() }
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let recorder = Recorder(source.deliver(on: scheduler))
        for value in 0..<100 { source.send(value) }
        end(source)
        gate.open()
        return recorder
    }

    @Test("a failure stays behind the values before it", arguments: schedulers.indices)
    func failure(index: Int) async {
        let recorder = await offThePool {
            let recorder = Self.deliver(on: Self.schedulers[index]) { $0.fail("broken") }
            recorder.waitForEnd()
            return recorder
        }
        #expect(recorder.values == Array(0..<100))
        #expect(recorder.events.last == .failed("broken"))
    }

    /// Sends one value while it is being subscribed to, waits until that has been answered, and keeps nothing.
    private struct AnsweredWhileSubscribing: Signal {
        typealias Value = Int
        typealias Failure = Never
        let answered: Latch

        func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == Never {
            _ = observer.next(1)
            answered.wait()
            _ = consume observer
            return ActionDisposable {}
        }

        var chain: Chain { Chain(source: "answered") }
    }

    @Test(
        "who stops while its source still subscribes, and then is gone, hears the end",
        .timeLimit(.minutes(5)),
        arguments: schedulers.indices
    )
    func stoppedWhileSubscribing(index: Int) async {
        let recorder = await offThePool {
            let answered = Latch()
            let source = AnsweredWhileSubscribing(answered: answered)
            let recorder = Recorder(source.deliver(on: Self.schedulers[index])) { _ in
                // What `stop` does follows on this thread; the next piece of work comes after it.
                Self.schedulers[index].schedule { answered.open() }
                return .stop
            }
            recorder.waitForEnd()
            return recorder
        }
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test("after a disposal what waits is not heard", arguments: schedulers.indices)
    func disposal(index: Int) async {
        await offThePool { Self.checkDisposal(on: Self.schedulers[index]) }
    }

    private static func checkDisposal(on scheduler: any Scheduler) {
        let gate = Latch()
        // On a pool, work that waits at a gate does not hold up the rest: the observer waits instead.
        let source = Subject(of: Int.self)
        let entered = Latch()
        let recorder = Recorder(
            source.deliver(on: scheduler),
            onNext: { _ in
                entered.open()
                gate.wait()
                return .more
            }
        )
        for value in 0..<10 { source.send(value) }
        entered.wait()
        recorder.dispose()
        gate.open()
        scheduler.settle()
        #expect(recorder.values == [0])
        #expect(recorder.eventsAfterDisposal == 0)
    }

    @Test("disposed of by one thread while another sends, on every kind of scheduler", arguments: 0..<60)
    func race(round: Int) async {
        await offThePool { Self.checkRace(on: Self.schedulers[round % 3], round) }
    }

    private static func checkRace(on scheduler: any Scheduler, _ round: Int) {
        let source = ProbeSource<Int, Never>()
        let recorder = Recorder(source.deliver(on: scheduler, limit: 8))
        let reached = Latch()
        let threads = Threads()
        threads.start {
            for value in 0..<500 {
                source.send(value)
                if value == round * 8 { reached.open() }
            }
        }
        threads.start {
            reached.wait()
            recorder.dispose()
        }
        threads.wait()
        scheduler.settle()
        #expect(recorder.violations == [])
        #expect(recorder.eventsAfterDisposal <= 1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("losses above and in the queue are heard in their place")
    func losses() {
        let thread = ThreadScheduler(name: "order")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let source = ProbeSource<Int, Never>()
        let log = Log<String>()
        let recorder = Recorder(
            source.deliver(on: thread, limit: 2, overflow: .dropNewest),
            onNext: { value in
                log.append("\(value)")
                return .more
            },
            onLoss: { log.append("lost \($0)") }
        )
        source.send(1)
        source.lose(5)
        source.send(2)
        source.send(3)
        source.complete()
        gate.open()
        recorder.waitForEnd()
        #expect(log.entries == ["1", "lost 5", "2", "lost 1"])
    }

    @Test("a source that goes without an end: what waits is delivered, then the chain is freed", arguments: 0..<20)
    func abandoned(round: Int) {
        final class Canary: Sendable {
            let log = Log<Int>()
        }
        weak var weakly: Canary?
        let thread = ThreadScheduler(name: "order")
        let log: Log<Int>
        var handle: (any Disposable)?
        do {
            let canary = Canary()
            weakly = canary
            log = canary.log
            let source = Subject(of: Int.self)
            handle = source.deliver(on: thread).subscribe(next: { canary.log.append($0) })
            for value in 0..<(round * 10) { source.send(value) }
        }
        thread.settle()
        #expect(log.entries == Array(0..<(round * 10)))
        #expect(weakly == nil)
        withExtendedLifetime(handle) {}
    }
}
