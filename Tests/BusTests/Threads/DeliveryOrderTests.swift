import Bus
import BusTesting
import Testing

/// Points on which libraries differ (errors before or after values, disposal, bounds), on every kind of scheduler.
@Suite("deliver(on:) in order")
struct DeliveryOrderTests {
    private actor Stage {}

    enum Kind: CaseIterable, Sendable {
        case thread, pool, actor

        /// A scheduler that no other test uses.
        fileprivate func make() -> Stand {
            switch self {
            case .thread: Stand(scheduler: ThreadScheduler(name: "order"), threads: 1)
            case .pool: Stand(scheduler: ConcurrentScheduler(name: "order", threads: 3), threads: 3)
            case .actor: Stand(scheduler: ActorScheduler(Stage()), threads: 1)
            }
        }
    }

    fileprivate struct Stand: Sendable {
        let scheduler: any Scheduler
        let threads: Int

        /// Blocks it for later work until the gate opens.
        func hold(_ gate: Latch) {
            for _ in 0..<threads { scheduler.schedule { gate.wait() } }
        }

        /// Returns when all submitted work has run, and the work that it submitted.
        func settle() {
            if let pool = scheduler as? ConcurrentScheduler {
                pool.settle(threads: threads)
            } else {
                scheduler.settle()
            }
        }
    }

    private static func deliver(
        on stand: Stand,
        _ end: (Subject<Int, TestFailure>) -> Void
    ) -> Recorder<Int, TestFailure> {
        let gate = Latch()
        stand.hold(gate)
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let recorder = record(source, on: stand.scheduler)
        for value in 0..<100 { source.send(value) }
        end(source)
        gate.open()
        return recorder
    }

    private static func record<Source: Signal>(
        _ source: Source,
        on scheduler: some Scheduler,
        limit: Int = 1024,
        onNext: @escaping @Sendable (Source.Value) -> Demand = { _ in .more }
    ) -> Recorder<Source.Value, Source.Failure> {
        Recorder(source.deliver(on: scheduler, limit: limit), onNext: onNext)
    }

    @Test("a failure stays behind the values before it", arguments: Kind.allCases)
    func failure(kind: Kind) async {
        let recorder = await offThePool {
            let recorder = Self.deliver(on: kind.make()) { $0.fail("broken") }
            recorder.waitForEnd()
            return recorder
        }
        #expect(recorder.values == Array(0..<100))
        #expect(recorder.events.last == .failed("broken"))
    }

    /// Sends one value while it is being subscribed to, waits for the answer, and keeps nothing.
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

    @Test("an observer that stops during subscribe, and is dropped, hears the end", arguments: Kind.allCases)
    func stoppedWhileSubscribing(kind: Kind) async {
        let recorder = await offThePool {
            let answered = Latch()
            let source = AnsweredWhileSubscribing(answered: answered)
            let scheduler = kind.make().scheduler
            let recorder = Self.record(source, on: scheduler) { _ in
                // The effects of `stop` follow on this thread. The next piece of work comes after them, or in parallel
                // on a pool.
                scheduler.schedule { answered.open() }
                return .stop
            }
            recorder.waitForEnd()
            return recorder
        }
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test("after a disposal queued values are not heard", arguments: Kind.allCases)
    func disposal(kind: Kind) async {
        await offThePool { Self.checkDisposal(on: kind.make()) }
    }

    private static func checkDisposal(on stand: Stand) {
        let gate = Latch()
        // On a pool, work that waits at a gate does not block the rest, so the observer waits instead.
        let source = Subject(of: Int.self)
        let entered = Latch()
        let recorder = record(source, on: stand.scheduler) { _ in
            entered.open()
            gate.wait()
            return .more
        }
        for value in 0..<10 { source.send(value) }
        entered.wait()
        recorder.dispose()
        gate.open()
        stand.settle()
        #expect(recorder.values == [0])
        #expect(recorder.eventsAfterDisposal == 0)
    }

    @Test("disposed of by one thread while another sends, on every kind of scheduler", arguments: 0..<60)
    func race(round: Int) async {
        await offThePool { Self.checkRace(on: Kind.allCases[round % 3].make(), round) }
    }

    private static func checkRace(on stand: Stand, _ round: Int) {
        let source = ProbeSource<Int, Never>()
        let recorder = record(source, on: stand.scheduler, limit: 8)
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
        stand.settle()
        #expect(recorder.violations == [])
        #expect(recorder.eventsAfterDisposal <= 1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("losses upstream and in the queue are heard in their place")
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
        source.sendLoss(of: 5)
        source.send(2)
        source.send(3)
        source.complete()
        gate.open()
        recorder.waitForEnd()
        #expect(log.entries == ["1", "lost 5", "2", "lost 1"])
    }

    @Test("a source dropped without an end: queued values are delivered, then the chain is freed", arguments: 0..<20)
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
