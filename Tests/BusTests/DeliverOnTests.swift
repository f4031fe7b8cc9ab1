import Bus
import BusTesting
import Testing

@Suite("deliver(on:)")
struct DeliverOnTests {
    @Test func everythingArrivesOnTheSchedulerInOrder() {
        let thread = ThreadScheduler(name: "target")
        let elsewhere = Log<Int>()
        let recorder = onOwnThread {
            Recorder(Signals.from(0..<100_000).deliver(on: thread)) { value in
                if !thread.isCurrent { elsewhere.append(value) }
                return .more
            }
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values, 100_000)
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
        let (events, _) = overflow(.fail { _ in "overflow" })
        #expect(events == [.next(0), .next(1), .next(2), .next(3), .failed("overflow")])
    }

    @Test func waitSlowsTheSender() {
        let thread = ThreadScheduler(name: "target")
        let recorder = onOwnThread {
            Recorder(Signals.from(0..<10_000).deliver(on: thread, limit: 2, overflow: .wait))
        }
        recorder?.waitForEnd()
        let arrivedAll = areAscending(recorder?.values, 10_000)
        #expect(arrivedAll)
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
        let thread = ThreadScheduler(name: "target")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let source = Subject(of: Int.self)
        let recorder = Recorder(source.deliver(on: thread, limit: 1, overflow: .wait))
        let group = Threads()
        group.start { for value in 0..<3 { source.send(value) } }
        group.start { recorder.dispose() }
        group.wait()
        gate.open()
        thread.settle()
        #expect(recorder.violations == [])
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
