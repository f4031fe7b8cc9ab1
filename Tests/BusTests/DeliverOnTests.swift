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

    /// Holds the scheduler, sends 0..<10 into a queue of 4, lets go.
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

    /// A thread that says when it is asked whether the caller runs on it: a sender asks, and then sleeps.
    private final class AskedScheduler: Scheduler {
        private let thread = ThreadScheduler(name: "target")
        let asked = Latch()

        func schedule(_ work: @escaping @Sendable () -> Void) { thread.schedule(work) }

        var isCurrent: Bool {
            asked.open()
            return thread.isCurrent
        }
    }

    @Test func waitSlowsTheSender() {
        let scheduler = AskedScheduler()
        let gate = Latch()
        scheduler.schedule { gate.wait() }
        let sent = Lock(0)
        let recorder = Lock<Recorder<Int, Never>?>(nil)
        let group = Threads()
        group.start {
            let numbers = Signals.from(0..<10_000).map { value in
                sent.withLock { $0 += 1 }
                return value
            }
            let made = Recorder(numbers.deliver(on: scheduler, limit: 2, overflow: .wait))
            recorder.withLock { $0 = made }
        }
        scheduler.asked.wait()
        // Two wait in the queue; the sender holds the third.
        #expect(sent.withLock { $0 } == 3)
        gate.open()
        group.wait()
        let made = recorder.withLock { $0 }
        made?.waitForEnd()
        let arrivedAll = areAscending(made?.values, 10_000)
        #expect(arrivedAll)
        #expect(made?.lost == 0)
    }

    @Test func waitIsRefusedOnTheSchedulerBeingWaitedFor() {
        let thread = ThreadScheduler(name: "target")
        let losses = Log<Int>()
        let done = Latch()
        let recorder = Lock<Recorder<Int, Never>?>(nil)
        thread.schedule {
            let made = Recorder(
                Signals.from(0..<10).deliver(on: thread, limit: 4, overflow: .wait),
                onLoss: { losses.append($0) }
            )
            recorder.withLock { $0 = made }
            done.open()
        }
        done.wait()
        thread.settle()
        #expect(recorder.withLock { $0?.events } == [.next(0), .next(1), .next(2), .next(3), .completed])
        #expect(losses.entries == [6])
    }

    @Test func waitIsRefusedInsideATask() async {
        let gate = Latch()
        let thread = ThreadScheduler(name: "target")
        thread.schedule { gate.wait() }
        let losses = Log<Int>()
        let task = Task.detached {
            Recorder(Signals.from(0..<10).deliver(on: thread, limit: 4, overflow: .wait), onLoss: { losses.append($0) })
        }
        let recorder = await task.value
        gate.open()
        thread.settle()
        #expect(recorder.values == [0, 1, 2, 3])
        #expect(losses.entries == [6])
    }

    @Test func aWaitingSenderIsWokenByDisposal() {
        let scheduler = AskedScheduler()
        let gate = Latch()
        scheduler.schedule { gate.wait() }
        let source = ProbeSource<Int, Never>()
        let recorder = Recorder(source.deliver(on: scheduler, limit: 1, overflow: .wait))
        let sent = Log<Int>()
        let group = Threads()
        group.start {
            for value in 0..<3 {
                source.send(value)
                sent.append(value)
            }
        }
        scheduler.asked.wait()
        #expect(sent.entries == [0])
        recorder.dispose()
        // The scheduler is still held, so nothing else makes room.
        group.wait()
        gate.open()
        scheduler.settle()
        #expect(recorder.events == [])
        #expect(recorder.lost == 0)
        #expect(source.liveSubscriptions == 0)
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
