import Bus
import BusTesting
import Synchronization
import TestSupport
import Testing
import Timers

/// Real threads and the real clock, for Thread Sanitizer. Orders are checked, times are not.
@Suite("Operators that wait, with threads")
struct WaitingStressTests {
    static let scheduler = TimerScheduler.shared

    @Test("two senders, timers that fire meanwhile, then completion: grammar and order are kept")
    func sendersAndTimers() {
        let tiny = Duration.microseconds(50)
        for round in 0..<Stress.rounds(4, stress: 6) {
            let subject = Subject(of: Int.self, failure: TestFailure.self)
            // Operators that pass some of the values, operators that pass all, and operators that create others.
            let some: [Recorder<Int, TestFailure>] = [
                Recorder(subject.debounce(tiny, maxWait: .microseconds(200))),
                Recorder(subject.debounce(tiny, atCompletion: .wait)),
                Recorder(subject.throttle(tiny)),
                Recorder(subject.sample(every: tiny, atCompletion: .wait)),
                Recorder(subject.skip(for: tiny)),
                // At a failure these drop the values they hold.
                Recorder(subject.delay(tiny)),
                Recorder(subject.rateLimit(100, per: tiny)),
            ]
            let all: [Recorder<Int, TestFailure>] = [
                Recorder(subject.timeout(.seconds(3600), failing: "silent")),
                Recorder(
                    subject.timeout(.seconds(3600), fallingBackTo: Signals.empty(Int.self, failure: TestFailure.self))
                ),
                Recorder(subject.take(for: .seconds(3600))),
                Recorder(subject.retry(backoff: .constant(tiny, limit: 1))),
            ]
            let others: [Recorder<Int, TestFailure>] = [
                Recorder(subject.collect(every: tiny, limit: 7).map { $0.count }),
                Recorder(subject.window(every: tiny).map { _ in 0 }),
                Recorder(subject.watchdog(tiny) { $0.count }),
            ]
            let senders = Senders(2) { sender in
                for value in 0..<500 { subject.send(sender * 1000 + value) }
            }
            senders.wait()
            if round % 2 == 0 { subject.complete() } else { subject.fail("end") }
            for recorder in some + all + others {
                recorder.waitForEnd()
                #expect(recorder.violations == [])
            }
            for recorder in some + all {
                for sender in 0..<2 {
                    let heard = recorder.values.filter { $0 / 1000 == sender }
                    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 < $1 })
                }
            }
            #expect(all.allSatisfy { Set($0.values).count == 1000 })
            if round % 2 == 0 {
                #expect(some.prefix(4).allSatisfy { !$0.values.isEmpty })
                #expect(Set(some[5].values).count == 1000)
                #expect(others[0].values.reduce(0, +) == 1000)
            }
            #expect(others.dropFirst().allSatisfy { !$0.values.isEmpty })
        }
    }

    @Test("disposed of on another thread while values are sent and its timers fire")
    func disposal() {
        let tiny = Duration.microseconds(20)
        for _ in 0..<Stress.rounds(10, stress: 20) {
            let subject = Subject(of: Int.self, failure: TestFailure.self)
            let recorders: [Recorder<Int, TestFailure>] = [
                Recorder(subject.debounce(tiny)), Recorder(subject.throttle(tiny)),
                Recorder(subject.sample(every: tiny)), Recorder(subject.delay(tiny)),
                Recorder(subject.rateLimit(10, per: tiny)), Recorder(subject.watchdog(tiny) { $0.count }),
                Recorder(subject.window(every: tiny).map { _ in 0 }),
                Recorder(subject.collect(every: tiny, limit: 3).map { $0.count }),
                Recorder(
                    subject.timeout(
                        tiny,
                        fallingBackTo: Signals.interval(every: tiny).map { $0.index }.promoteFailure(
                            to: TestFailure.self
                        )
                    )
                ),
                Recorder(subject.delaySubscription(tiny)),
            ]
            let (started, disposed) = (Latch(), Latch())
            let senders = Senders(1) { _ in
                for value in 0..<2000 {
                    subject.send(value)
                    if value == 200 { started.open() }
                }
                // There is always something to hear after the disposal, however long that takes.
                disposed.wait()
                for value in 2000..<2200 { subject.send(value) }
            }
            started.wait()
            for recorder in recorders { recorder.dispose() }
            disposed.open()
            senders.wait()
            for recorder in recorders {
                #expect(recorder.violations == [])
                #expect(recorder.eventsAfterDisposal <= 1)
            }
        }
    }

    @Test("a delay keeps the order and loses nothing, from a thread that is slowed")
    func delay() {
        let count = Stress.rounds(5_000, stress: 20_000)
        let recorder = Recorder(
            Signals.from(0..<count).subscribe(on: ThreadScheduler(name: "source"))
                .delay(.microseconds(300), limit: 100)
        )
        recorder.waitForEnd()
        #expect(recorder.values.elementsEqual(0..<count))
        #expect(recorder.lost == 0)
    }

    @Test("on the real clock nothing is early, whichever operator waits")
    func neverEarly() {
        let start = Self.scheduler.now
        let times = Collected<TimerInstant>()
        let wait = Duration.milliseconds(5)
        let sources: [AnySignal<Int, Never>] = [
            AnySignal(Signals.just(1).delay(wait)),
            AnySignal(Signals.timer(after: wait).map { _ in 1 }),
            AnySignal(Signals.just(1).delaySubscription(wait)),
            AnySignal(Signals.never(Int.self).watchdog(wait) { $0.count }.take(first: 1)),
            AnySignal(Signals.never(Int.self).timeout(wait, fallingBackTo: Signals.just(1))),
            AnySignal(Signals.from([1, 2]).concat(Signals.never(Int.self)).debounce(wait).take(first: 1)),
            AnySignal(Signals.from([1, 2]).throttle(wait).skip(first: 1)),
        ]
        let recorders = sources.map { source in
            Recorder(
                source.map { value in
                    times.add(Self.scheduler.now)
                    return value
                }
            )
        }
        for recorder in recorders {
            recorder.waitForEnd()
            #expect(recorder.values.count == 1)
        }
        #expect(times.all.count == sources.count)
        #expect(times.all.allSatisfy { start.duration(to: $0) >= wait })
    }

    @Test("a throttle keeps its distance on the real clock")
    func throttleDistance() {
        let subject = Subject(of: Int.self)
        let recorder = Recorder(subject.throttle(.milliseconds(1)).timestamp())
        let start = Self.scheduler.now
        let senders = Senders(1) { _ in
            let end = start.advanced(by: .milliseconds(20))
            var value = 0
            // On a busy machine the scheduler's thread may not have run by then.
            while Self.scheduler.now < end || recorder.values.count < 3 {
                subject.send(value)
                value += 1
            }
            subject.complete()
        }
        senders.wait()
        recorder.waitForEnd()
        let values = recorder.values
        #expect(values.count > 2)
        // The leading value is stamped after its window was opened, so a distance may look shorter by that much.
        #expect(zip(values.dropFirst(), values).allSatisfy { $0.value > $1.value })
        #expect(Double(values.count) <= start.duration(to: Self.scheduler.now) / .milliseconds(1) + 2)
    }
}

/// Threads that a test waits for.
private final class Senders: Sendable {
    private let done: [Latch]

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        done = (0..<count).map { _ in Latch() }
        for (number, latch) in done.enumerated() {
            do {
                try PinnedThread.start(name: "sender") {
                    body(number)
                    latch.open()
                }
            } catch {
                Issue.record("\(error)")
                latch.open()
            }
        }
    }

    func wait() { for latch in done { latch.wait() } }
}
