import Bus
import BusTesting
import Testing
import Timers

@Suite("window(every:)")
struct WindowTests {
    let time = TestScheduler()
    let source = ProbeSource(of: Int.self, failure: TestFailure.self)
    let lines = Collected<String>()

    @Test("windows divide the time from subscribing on, even empty ones, and complete at their end")
    func tiles() {
        let subscription = record()
        at(2) { $0.send(1) }
        at(5) { $0.send(2) }
        at(11) { $0.send(3) }
        at(16) { $0.send(4) }
        at(17) { $0.complete() }
        time.advance(by: .columns(40))
        #expect(
            lines.all == [
                "0 opens", "0: 1", "0 |", "5 opens", "5: 2", "5 |", "10 opens", "10: 3", "10 |", "15 opens", "15: 4",
                "15 |", "|",
            ]
        )
        #expect(time.pendingCount == 0)
        _ = subscription
    }

    @Test("a failure is also sent to the open window")
    func fails() {
        record()
        at(7) { $0.fail("late") }
        time.advance(by: .columns(40))
        #expect(lines.all == ["0 opens", "0 |", "5 opens", "5 late", "late"])
    }

    @Test("a loss is reported in the open window")
    func loses() {
        let inner = Collected<Recorder<Int, TestFailure>>()
        let windows = Recorder(source.window(every: .columns(5), on: time).map { inner.add(Recorder($0)) })
        let values = Recorder(source.window(every: .columns(5), on: time).flatMap { $0 })
        source.sendLoss(of: 1)
        time.advance(by: .columns(5))
        source.sendLoss(of: 3)
        #expect(inner.all.map(\.lost) == [1, 3])
        #expect(windows.lost == 0)
        #expect(values.lost == 4)
        windows.dispose()
        values.dispose()
    }

    @Test("windows missed while asleep are skipped, and a value falls into the one in which it arrived")
    func late() {
        record()
        source.send(1)
        time.jump(by: .columns(23))
        source.send(2)
        time.advance(by: .columns(3))
        #expect(lines.all == ["0 opens", "0: 1", "0 |", "23 opens", "23: 2", "23 |", "25 opens"])
    }

    @Test("a value at the very end of a window belongs to the next, before the timer and after")
    func boundary() {
        let early = Collected<String>()
        for isEarly in [true, false] {
            let time = TestScheduler()
            let source = ProbeSource(of: Int.self, failure: TestFailure.self)
            if isEarly { _ = time.schedule(at: TimerInstant(nanoseconds: 5_000_000)) { source.send(1) } }
            _ = source.window(every: .columns(5), on: time).subscribe(
                next: { window in
                    let opened = time.now
                    _ = window.subscribe(
                        next: { early.add("\(isEarly) \(opened.nanoseconds / 1_000_000): \($0)") },
                        failed: { _ in }
                    )
                },
                failed: { _ in }
            )
            if !isEarly { _ = time.schedule(at: TimerInstant(nanoseconds: 5_000_000)) { source.send(1) } }
            time.advance(by: .columns(7))
        }
        #expect(early.all == ["true 5: 1", "false 5: 1"])
    }

    @Test("an observer that has enough windows ends it")
    func stops() {
        let recorder = time.record(source.window(every: .columns(5), on: time).map { _ in 0 }.take(first: 2))
        time.advance(by: .columns(20))
        #expect(recorder.values == [0, 0])
        #expect(recorder.hasEnded)
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)

        let first = time.record(source.window(every: .columns(5), on: time).map { _ in 0 }.take(first: 1))
        #expect(first.hasEnded)
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("after disposal inside a window's end, or while it is handed out, nothing comes", arguments: [0, 1, 2])
    func disposedOf(inside place: Int) {
        let handle = SerialDisposable()
        handle.set(
            source.window(every: .columns(5), on: time).subscribe(
                next: { [lines] window in
                    lines.add("opens")
                    if place == 0, lines.all.count > 1 { handle.dispose() }
                    _ = window.subscribe(
                        next: { lines.add("\($0)") },
                        failed: { _ in },
                        completed: {
                            lines.add("|")
                            if place > 0 { handle.dispose() }
                        }
                    )
                },
                failed: { _ in },
                completed: { [lines] in lines.add("completed") }
            )
        )
        // The value of a late timer opens a window and belongs to it; the end closes the one that is open.
        if place < 2 { time.jump(by: .columns(7)) }
        if place < 2 { source.send(1) } else { source.complete() }
        time.advance(by: .columns(20))
        #expect(lines.all == ["opens", "|"] + (place == 0 ? ["opens"] : []))
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }

    @Test("no timer is left when it is disposed of, or its source dropped")
    func quiet() {
        record().dispose()
        #expect(time.pendingCount == 0)
        do {
            let dropped = ProbeSource(of: Int.self, failure: TestFailure.self)
            _ = dropped.window(every: .columns(5), on: time).subscribe(next: { _ in }, failed: { _ in })
            #expect(time.pendingCount == 1)
        }
        #expect(time.pendingCount == 0)
    }

    @Test("the shortest period is the resolution of timers, the longest makes one window")
    func extremes() {
        for period in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            let recorder = time.record(source.window(every: period, on: time).map { _ in 0 }.take(first: 4))
            let start = time.now
            time.advance(by: .milliseconds(1))
            #expect(
                recorder.timeline.map { start.duration(to: $0.time) }.prefix(4).map { $0 / .nanoseconds(16_384) } == [
                    0, 1, 2, 3,
                ]
            )
        }
        let recorder = time.record(source.window(every: TimerInstantTests.longest, on: time).map { _ in 0 })
        time.run()
        #expect(recorder.values == [0])
    }

    @discardableResult
    private func record() -> any Disposable {
        source.window(every: .columns(5), on: time).subscribe(
            next: { [time, lines] window in
                let name = "\(time.now.nanoseconds / 1_000_000)"
                lines.add("\(name) opens")
                _ = window.subscribe(
                    next: { lines.add("\(name): \($0)") },
                    failed: { lines.add("\(name) \($0)") },
                    completed: { lines.add("\(name) |") }
                )
            },
            failed: { [lines] in lines.add("\($0)") },
            completed: { [lines] in lines.add("|") }
        )
    }

    private func at(_ column: Int, _ action: @escaping @Sendable (ProbeSource<Int, TestFailure>) -> Void) {
        _ = time.schedule(at: TimerInstant(nanoseconds: 0).advanced(by: .columns(column))) { [source] in action(source)
        }
    }
}
