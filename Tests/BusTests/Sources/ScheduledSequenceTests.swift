import Bus
import BusTesting
import Testing

@Suite("Sequences on a scheduler")
struct ScheduledSequenceTests {
    @Test func elementsComeInBurstsWithOtherWorkInBetween() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        _ = Signals.from(1...5, on: scheduler, burst: 2)
            .subscribe(next: { log.append("\($0)") }, completed: { log.append("|") })
        scheduler.schedule { log.append("other") }
        #expect(log.entries == [])
        scheduler.advance()
        #expect(log.entries == ["1", "2", "other", "3", "4", "5", "|"])
        #expect(scheduler.pendingCount == 0)
    }

    @Test func aBurstHasAtLeastOneElement() {
        let scheduler = TestScheduler()
        let recorder = Recorder(Signals.from(1...3, on: scheduler, burst: 0))
        scheduler.advance()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func anEmptySequenceCompletesOnTheScheduler() {
        let scheduler = TestScheduler()
        let recorder = Recorder(Signals.from([Int](), on: scheduler))
        #expect(!recorder.hasEnded)
        scheduler.advance()
        #expect(recorder.events == [.completed])
    }

    @Test func itIsWalkedOnlyAsFarAsIsWanted() {
        let scheduler = TestScheduler()
        let recorder = Recorder(Signals.from(sequence(first: 1) { $0 + 1 }, on: scheduler, burst: 4).take(first: 6))
        scheduler.advance()
        #expect(recorder.values == [1, 2, 3, 4, 5, 6])
        #expect(recorder.hasEnded)
        #expect(scheduler.pendingCount == 0)
    }

    @Test func disposalInsideABurstIsTheLastThatIsHeard() {
        let scheduler = TestScheduler()
        let subscription = SerialDisposable()
        let heard = Log<Int>()
        subscription.set(
            Signals.from(1...100, on: scheduler, burst: 50).subscribe(
                next: { value in
                    heard.append(value)
                    if value == 3 { subscription.dispose() }
                },
                completed: { heard.append(-1) }
            )
        )
        scheduler.advance()
        #expect(heard.entries == [1, 2, 3])
    }

    @Test func disposalBetweenBurstsFreesTheChainAtOnce() {
        final class Canary: Sendable {
            func sing() {}
        }
        let scheduler = TestScheduler()
        weak var alive: Canary?
        let handle = {
            let canary = Canary()
            alive = canary
            return Signals.from(1...100, on: scheduler, burst: 1).subscribe(next: { _ in canary.sing() })
        }()
        #expect(alive != nil)
        #expect(!handle.isDisposed)
        handle.dispose()
        #expect(alive == nil)
        #expect(handle.isDisposed)
        scheduler.advance()
    }

    @Test(arguments: [true, false])
    func theSequenceIsFreedWithDisposalAndWithTheEndThoughTheHandleIsKept(byDisposal: Bool) {
        let scheduler = TestScheduler()
        weak var alive: Canary?
        let handle: any Disposable
        do {
            let canary = Canary()
            alive = canary
            let numbers = CountedNumbers(count: 3, lead: Lead(), canary: canary)
            handle = Signals.from(numbers, on: scheduler, burst: 1).subscribe(next: { _ in })
        }
        #expect(alive != nil)
        if byDisposal { handle.dispose() } else { scheduler.advance() }
        #expect(alive == nil)
        scheduler.advance()
        handle.dispose()
    }

    @Test func aSchedulerThatDropsItsWorkFreesTheChain() {
        final class Canary: Sendable {
            func sing() {}
        }
        let scheduler = ForgetfulScheduler()
        weak var alive: Canary?
        let handle = {
            let canary = Canary()
            alive = canary
            return Signals.from(1...100, on: scheduler).subscribe(next: { _ in canary.sing() })
        }()
        #expect(alive != nil)
        scheduler.forget()
        #expect(alive == nil)
        #expect(handle.isDisposed)
    }

    @Test func disposalByAnotherThreadLetsOneEventThroughAtMost() {
        let scheduler = ThreadScheduler(name: "walk")
        let started = Latch()
        let recorder = Recorder(
            Signals.from(sequence(first: 1) { $0 &+ 1 }, on: scheduler, burst: 8),
            onNext: { value in
                if value == 1_000 { started.open() }
                return .more
            }
        )
        started.wait()
        recorder.dispose()
        scheduler.settle()
        #expect(recorder.eventsAfterDisposal <= 1)
        #expect(recorder.violations == [])
        #expect(!recorder.hasEnded)
    }

    @Test func allOfItArrivesOnAThread() {
        let scheduler = ThreadScheduler(name: "walk")
        let recorder = Recorder(Signals.from(0..<10_000, on: scheduler))
        recorder.waitForEnd()
        let arrivedAll = areAscending(recorder.values, 10_000)
        #expect(arrivedAll)
    }

    @Test func aMillionBurstsOnAnImmediateSchedulerNeedNoStack() {
        let rounds = deepRounds()
        let count = Recorder(Signals.from(0..<rounds, on: ImmediateScheduler(), burst: 1).count())
        #expect(count.events == [.next(rounds), .completed])
    }
}

/// Keeps what it is given until it is told to forget it.
private final class ForgetfulScheduler: Scheduler {
    private let work = Lock<[@Sendable () -> Void]>([])

    func schedule(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }

    var isCurrent: Bool { false }

    func forget() {
        // Released after the lock is.
        _ = work.withLock { work -> [@Sendable () -> Void] in
            defer { work = [] }
            return work
        }
    }
}
