import Bus
import BusTesting
import Testing
import Timers

@Suite("timeout")
struct TimeoutTests {
    struct Silent: Error, Equatable {}

    let time = TestScheduler()
    let subject = Subject(of: Int.self, failure: Silent.self)
    let events = Collected<Event<Int, Silent>>()

    @Test("between values: each value restarts the wait for the source")
    func between() {
        subscribe(.between)
        at(3) { $0.send(1) }
        at(7) { $0.send(2) }
        at(11) { $0.send(3) }
        time.advance(to: seconds(15))
        #expect(events.all == [.next(1), .next(2), .next(3)])
        time.advance(to: seconds(16))
        #expect(events.all == [.next(1), .next(2), .next(3), .failed(Silent())])
        #expect(time.pendingCount == 0)
    }

    @Test("between values: the first is also waited for")
    func betweenWithoutValue() {
        subscribe(.between)
        time.advance(to: seconds(4))
        #expect(events.all.isEmpty)
        time.advance(to: seconds(5))
        #expect(events.all == [.failed(Silent())])
    }

    /// Calls back whenever it is asked for the time.
    private struct Watched: TimedScheduler {
        let time: TestScheduler
        let asked: @Sendable () -> Void

        var now: TimerInstant {
            asked()
            return time.now
        }

        func schedule(_ work: @escaping @Sendable () -> Void) { time.schedule(work) }

        func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
            time.schedule(at: deadline, work)
        }

        var isCurrent: Bool { time.isCurrent }
        var description: String { "watched" }
    }

    @Test("first value: one that comes while the timer fires is not followed by a failure")
    func firstWhileFiring() {
        let (time, subject, events) = (time, subject, events)
        let scheduler = Watched(time: time) {
            // The timer is looking whether the time is over.
            if time.now >= TimerInstant(nanoseconds: 5_000_000_000) { subject.send(1) }
        }
        let subscription = subject.timeout(.seconds(5), .first, failing: Silent(), on: scheduler).subscribe(
            next: { [events] in events.add(.next($0)) },
            failed: { [events] in events.add(.failed($0)) }
        )
        time.advance(to: seconds(5))
        #expect(events.all.first == .next(1))
        #expect(!events.all.contains(.failed(Silent())))
        subscription.dispose()
    }

    @Test("first value: no limit after it")
    func first() {
        subscribe(.first)
        at(4) { $0.send(1) }
        time.advance(to: seconds(1000))
        subject.send(2)
        #expect(events.all == [.next(1), .next(2)])
        #expect(time.pendingCount == 0)
    }

    @Test("first value: none in time")
    func firstMissing() {
        subscribe(.first)
        time.advance(to: seconds(5))
        subject.send(1)
        #expect(events.all == [.failed(Silent())])
    }

    @Test("in total: values do not extend the time")
    func total() {
        subscribe(.total)
        for second in 1..<5 { at(second) { $0.send(second) } }
        time.advance(to: seconds(6))
        #expect(events.all == [.next(1), .next(2), .next(3), .next(4), .failed(Silent())])
    }

    @Test("an end in time cancels the wait", arguments: [TimeoutMode.first, .between, .total])
    func completes(mode: TimeoutMode) {
        subscribe(mode)
        at(1) { $0.send(1) }
        at(2) { $0.complete() }
        time.advance(to: seconds(2))
        #expect(time.pendingCount == 0)
        time.advance(to: seconds(100))
        #expect(events.all == [.next(1), .completed])
    }

    @Test("no value follows the failure, and the source is released", arguments: [TimeoutMode.first, .between, .total])
    func releasesSource(mode: TimeoutMode) {
        let wasReleased = Collected<Int>()
        let events = events
        _ = Signals.create(of: Int.self, failure: Silent.self) { _ in
            ActionDisposable { wasReleased.add(events.all.count) }
        }
        .timeout(.seconds(5), mode, failing: Silent(), on: time)
        .subscribe(next: { _ in }, failed: { events.add(.failed($0)) })
        time.advance(by: .seconds(5))
        #expect(wasReleased.all == [0], "released before the failure was heard")
        #expect(events.all == [.failed(Silent())])
    }

    @Test("disposal cancels the wait", arguments: [TimeoutMode.first, .between, .total])
    func disposes(mode: TimeoutMode) {
        let subscription = subscribe(mode)
        #expect(time.pendingCount == 1)
        subscription.dispose()
        #expect(time.pendingCount == 0)
        time.advance(by: .seconds(100))
        #expect(events.all.isEmpty)
    }

    @Test(
        "zero and negative durations fail at once, the longest never",
        arguments: [TimeoutMode.first, .between, .total]
    )
    func extremeDurations(mode: TimeoutMode) {
        for duration in [Duration.zero, .seconds(-1), TimerInstantTests.shortest] {
            let events = Collected<Event<Int, Silent>>()
            _ = Signals.never(Int.self, failure: Silent.self).timeout(duration, mode, failing: Silent(), on: time)
                .subscribe(next: { _ in }, failed: { events.add(.failed($0)) })
            #expect(events.all.isEmpty)
            time.advance()
            #expect(events.all == [.failed(Silent())])
        }
        let subscription = Signals.never(Int.self, failure: Silent.self).timeout(
            TimerInstantTests.longest,
            mode,
            failing: Silent(),
            on: time
        )
        .subscribe(next: { _ in }, failed: { [events] in events.add(.failed($0)) })
        defer { subscription.dispose() }
        time.run()
        #expect(events.all.isEmpty)
    }

    @Test("a thousand values touch one timer")
    func oneTimer() {
        let subscription = subscribe(.between)
        defer { subscription.dispose() }
        for value in 0..<1000 {
            time.advance(by: .seconds(1))
            subject.send(value)
            #expect(time.pendingCount == 1)
        }
        #expect(events.all.count == 1000)
    }

    @Test("on the real clock a silent source fails, and not too early")
    func realClock() async {
        let start = TimerScheduler.shared.now
        do {
            for try await _ in Signals.never(Int.self, failure: Silent.self).timeout(
                .milliseconds(20),
                failing: Silent()
            ).values() {}
            Issue.record("completed")
        } catch {
            #expect(error == .failed(Silent()))
            #expect(start.duration(to: TimerScheduler.shared.now) >= .milliseconds(20))
        }
    }

    @discardableResult
    private func subscribe(_ mode: TimeoutMode) -> any Disposable {
        subject.timeout(.seconds(5), mode, failing: Silent(), on: time).subscribe(
            next: { [events] in events.add(.next($0)) },
            failed: { [events] in events.add(.failed($0)) },
            completed: { [events] in events.add(.completed) }
        )
    }

    private func at(_ second: Int, _ action: @escaping @Sendable (Subject<Int, Silent>) -> Void) {
        _ = time.schedule(at: seconds(second)) { [subject] in action(subject) }
    }

    private func seconds(_ seconds: Int) -> TimerInstant {
        TimerInstant(nanoseconds: 0).advanced(by: .seconds(seconds))
    }
}
