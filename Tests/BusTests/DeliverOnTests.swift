import Bus
import BusTesting
import TestSupport
import Testing

@Suite("deliver(on:)")
struct DeliverOnTests {
    @Test func everythingArrivesOnTheSchedulerInOrder() {
        let thread = ThreadScheduler(name: "target")
        let elsewhere = Log<Int>()
        let count = Stress.rounds(20_000, stress: 100_000)
        let recorder = onOwnThread {
            Recorder(Signals.from(0..<count).deliver(on: thread)) { value in
                if !thread.isCurrent { elsewhere.append(value) }
                return .more
            }
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values, count)
        #expect(arrivedAll)
        #expect(recorder?.violations == [])
        #expect(elsewhere.entries == [])
    }

    /// Blocks the scheduler, sends 0..<10 into a queue of 4, and unblocks it.
    private func overflow(_ overflow: Overflow<TestFailure>) -> (values: [Event<Int, TestFailure>], losses: [String]) {
        let thread = ThreadScheduler(name: "target")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let losses = Log<String>()
        let recorder = Recorder(
            source.deliver(on: thread, limit: 4, overflow: overflow),
            onNext: { value in
                losses.append("\(value)")
                return .more
            },
            onLoss: { losses.append("lost \($0)") }
        )
        for value in 0..<10 { source.send(value) }
        source.complete()
        gate.open()
        recorder.waitForEnd()
        return (recorder.events, losses.entries)
    }

    @Test func dropNewestKeepsTheFirst() {
        let (events, losses) = overflow(.dropNewest)
        #expect(events == [.next(0), .next(1), .next(2), .next(3), .completed])
        #expect(losses == ["0", "1", "2", "3", "lost 6"])
    }

    @Test func dropOldestKeepsTheLast() {
        let (events, losses) = overflow(.dropOldest)
        #expect(events == [.next(6), .next(7), .next(8), .next(9), .completed])
        #expect(losses == ["lost 6", "6", "7", "8", "9"])
    }

    @Test func failFailsAfterWhatWaits() {
        let (events, losses) = overflow(.fail { lost in lost == 1 ? "overflow" : "wrong" })
        #expect(events == [.next(0), .next(1), .next(2), .next(3), .failed("overflow")])
        #expect(losses == ["0", "1", "2", "3"])
    }

    @Test func aFullQueuePausesTheSource() {
        let thread = ThreadScheduler(name: "target")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let sent = Lock(0)
        let numbers = Signals.from(0..<10_000).map { value in
            sent.withLock { $0 += 1 }
            return value
        }
        let recorder = Recorder(numbers.deliver(on: thread, limit: 2))
        // Subscribing has returned although the scheduler is blocked: no thread waits, and two values are queued.
        #expect(sent.withLock { $0 } == 2)
        gate.open()
        recorder.waitForEnd()
        let arrivedAll = areAscending(recorder.values, 10_000)
        #expect(arrivedAll)
        #expect(recorder.lost == 0)
    }

    @Test(arguments: [Overflow<Never>.dropOldest, .dropNewest])
    func aQueueThatDropsDoesNotPauseTheSource(overflow: Overflow<Never>) {
        let time = TestScheduler()
        let recorder = Recorder(Signals.from(0..<10).deliver(on: time, limit: 4, overflow: overflow))
        time.run()
        #expect(recorder.values.count == 4)
        #expect(recorder.lost == 6)
        #expect(recorder.hasEnded)
    }

    @Test func afterDisposalInsideALossNothingComes() {
        let (source, time) = (ProbeSource<Int, Never>(), TestScheduler())
        let log = Log<String>()
        let handle = SerialDisposable()
        handle.set(
            source.deliver(on: time).subscribe(
                next: { log.append("\($0)") },
                completed: { log.append("completed") },
                lost: { count in
                    log.append("lost \(count)")
                    handle.dispose()
                }
            )
        )
        source.send(1)
        source.sendLoss(of: 3)
        source.send(5)
        source.complete()
        time.run()
        #expect(log.entries == ["1", "lost 3"])
    }

    @Test func disposalLetsGoOfWhatAPausedSourceLeftToBeCalled() {
        let (source, time) = (RawSource<Int, Never>(), TestScheduler())
        let handle = source.deliver(on: time, limit: 1).subscribe(next: { _ in })
        let isHeld = isKept { canary in
            #expect(source.send(1) == .pause)
            #expect(source.whenReady { canary.sing() } == .pause)
            handle.dispose()
        }
        #expect(!isHeld)
        // The pending drain keeps the scheduler.
        time.advance()
    }

    @Test func onTheSchedulerItDeliversToTheSourceIsPausedToo() {
        let thread = ThreadScheduler(name: "target")
        let losses = Log<Int>()
        let recorder = Lock<Recorder<Int, Never>?>(nil)
        let done = Latch()
        thread.schedule {
            let made = Recorder(Signals.from(0..<10).deliver(on: thread, limit: 4), onLoss: { losses.append($0) })
            recorder.withLock { $0 = made }
            done.open()
        }
        done.wait()
        recorder.withLock { $0 }?.waitForEnd()
        #expect(recorder.withLock { $0?.values } == Array(0..<10))
        #expect(losses.entries == [])
    }

    @Test func insideATaskTheSourceIsPausedToo() async {
        let thread = ThreadScheduler(name: "target")
        let recorder = await Task.detached { Recorder(Signals.from(0..<10).deliver(on: thread, limit: 4)) }.value
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values == Array(0..<10))
        #expect(recorder.lost == 0)
    }

    @Test func aSourceThatCannotPauseLosesTheNewestInTheirPlace() {
        let (events, losses) = overflow(.pause)
        #expect(events == [.next(0), .next(1), .next(2), .next(3), .completed])
        #expect(losses == ["0", "1", "2", "3", "lost 6"])
    }

    @Test func aPausedSourceIsReleasedByDisposal() {
        let thread = ThreadScheduler(name: "target")
        let gate = Latch()
        thread.schedule { gate.wait() }
        weak var canary: Canary?
        let recorder: Recorder<Int, Never>
        do {
            let singer = Canary()
            canary = singer
            let numbers = Signals.from(0...).map { value in
                singer.sing()
                return value
            }
            recorder = Recorder(numbers.deliver(on: thread, limit: 1))
        }
        #expect(canary != nil)
        // The scheduler is still blocked, so nothing else makes room.
        recorder.dispose()
        #expect(canary == nil)
        gate.open()
        thread.settle()
        #expect(recorder.events == [])
        #expect(recorder.lost == 0)
    }

    @Test func aStopReleasesTheSourceAndThenEnds() {
        let thread = ThreadScheduler(name: "target")
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.deliver(on: thread).take(first: 2))
        for value in 0..<5 { source.send(value) }
        recorder.waitForEnd()
        #expect(recorder.events == [.next(0), .next(1), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aStopEndsASourceThatNeverEnds() {
        let thread = ThreadScheduler(name: "target")
        let recorder = onOwnThread {
            Recorder(Signals.from(sequence(first: 0) { $0 &+ 1 }).deliver(on: thread, limit: 16).take(first: 1_000))
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values, 1_000)
        #expect(arrivedAll)
    }
}
