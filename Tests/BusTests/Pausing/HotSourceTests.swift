import BusTesting
import Testing

@testable import Bus

/// Sources that cannot pause, with an observer that does. They continue, and values beyond the bound are lost and
/// counted.
@Suite("Sources that cannot pause")
struct HotSourceTests {
    /// Every value contains its number. The reports in between say how many are missing.
    private func heard(
        send count: Int,
        after room: Int,
        _ build: (Subject<Int, Never>, TestScheduler) -> some Signal<Int, Never>
    ) -> (log: [String], lost: Int) {
        let (subject, time) = (Subject(of: Int.self), TestScheduler())
        let log = Log<String>()
        let recorder = PausingRecorder(
            build(subject, time).on(next: { log.append("\($0)") }, lost: { log.append("lost \($0)") }),
            after: room
        )
        for value in 0..<count { subject.send(value) }
        time.run()
        recorder.play(1) { time.run() }
        recorder.release()
        subject.send(count)
        subject.complete()
        time.run()
        let (hasEnded, overrun, violations, told) = (
            recorder.hasEnded, recorder.overrun, recorder.violations, recorder.valueCount + recorder.lost
        )
        #expect(hasEnded)
        #expect(overrun == 0)
        #expect(violations == [])
        #expect(told == count + 1)
        return (log.entries, recorder.lost)
    }

    /// `room` values are taken, `held` are queued, and the rest is missing before the last one.
    private func expected(send count: Int, after room: Int, held: Int) -> [String] {
        (0..<(room + held)).map { "\($0)" } + ["lost \(count - room - held)", "\(count)"]
    }

    @Test("through operators that hold 1,024", arguments: [0, 1, 5])
    func line(room: Int) {
        let expected = expected(send: 3_000, after: room, held: 1_024)
        func expect(_ name: String, _ build: (Subject<Int, Never>) -> some Signal<Int, Never>) {
            let log = heard(send: 3_000, after: room) { subject, _ in build(subject) }.log
            let isExpected = log == expected
            #expect(isExpected, "\(name): \(log.count) entries, \(log.filter { $0.hasPrefix("lost") })")
        }
        expect("merge") { $0.merge(Signals.empty(Int.self)) }
        expect("take(until:)") { $0.take(until: Signals.never(Int.self)) }
        expect("create") { subject in
            Signals.create(of: Int.self) { emitter in
                subject.subscribe(next: { emitter.send($0) }, completed: { emitter.complete() })
            }
        }
        // The others have an input that can pause, and does so if there is no room from the beginning.
        guard room > 0 else { return }
        expect("flatMap") { subject in Signals.just(0).flatMap { _ in subject } }
        expect("flatMapLatest") { subject in Signals.just(0).flatMapLatest { _ in subject } }
        expect("withLatest(from:)") { $0.withLatest(from: Signals.just(0)).map { $0.0 } }
        expect("combineLatest") { Signals.just(0).combineLatest($0).map { $0.1 } }
        expect("retry(when:)") { $0.retry(when: { $0 }) }
    }

    @Test("through a create that holds what it is told", arguments: [1, 4, 16])
    func create(limit: Int) {
        let log = heard(send: 100, after: 2) { subject, _ in
            Signals.create(of: Int.self, limit: limit) { emitter in
                subject.subscribe(next: { emitter.send($0) }, completed: { emitter.complete() })
            }
        }.log
        #expect(log == expected(send: 100, after: 2, held: limit))
    }

    @Test("through deliver(on:)", arguments: [1, 4, 16])
    func hop(limit: Int) {
        // All values are sent before the scheduler runs, so only the queue holds them.
        let log = heard(send: 100, after: 2) { subject, time in subject.deliver(on: time, limit: limit) }.log
        #expect(log == (0..<limit).map { "\($0)" } + ["lost \(100 - limit)", "100"])
    }

    @Test("through a deliver(on:) that has taken its batch out of the queue")
    func hopUnderWay() {
        let (subject, time) = (Subject(of: Int.self), TestScheduler())
        let log = Log<String>()
        let recorder = PausingRecorder(
            subject.deliver(on: time, limit: 4).on(next: { log.append("\($0)") }, lost: { log.append("lost \($0)") }),
            after: 1
        )
        for value in 0..<4 { subject.send(value) }
        time.run()
        // Three are being delivered; the queue has room for four more.
        for value in 4..<12 { subject.send(value) }
        time.run()
        #expect(log.entries == ["0"])
        recorder.play(1) { time.run() }
        subject.send(12)
        recorder.release()
        subject.complete()
        time.run()
        #expect(log.entries == (0..<8).map { "\($0)" } + ["lost 4", "12"])
        #expect(recorder.hasEnded)
    }

    @Test("the overflow that fails gets the true number: a sender of one too many is told to stop")
    func fails() {
        let (subject, time) = (Subject(of: Int.self, failure: TestFailure.self), TestScheduler())
        let number = Log<Int>()
        let recorder = PausingRecorder(
            subject.deliver(
                on: time,
                limit: 4,
                overflow: .fail { lost in
                    number.append(lost)
                    return "full"
                }
            ),
            after: 2
        )
        for value in 0..<4 { subject.send(value) }
        time.run()
        for value in 4..<20 { subject.send(value) }
        recorder.release()
        time.run()
        #expect(number.entries == [1])
        #expect(recorder.events == (0..<8).map { .next($0) } + [.failed("full")])
    }

    @Test("a create that fails gets the true number", arguments: [1, 2, 7])
    func createFails(tooMany: Int) {
        let number = Log<Int>()
        let emitters = Log<Emitter<Int, TestFailure>>()
        let signal = Signals.create(
            of: Int.self,
            failure: TestFailure.self,
            limit: 4,
            overflow: .fail { lost in
                number.append(lost)
                return "full"
            }
        ) { emitter in
            emitters.append(emitter)
            return nil
        }
        let recorder = PausingRecorder(signal, after: 2)
        for value in 0..<(6 + tooMany) { emitters.entries[0].send(value) }
        #expect(number.entries == [])
        recorder.release()
        #expect(number.entries == [tooMany])
        #expect(recorder.events == (0..<6).map { .next($0) } + [.failed("full")])
    }

    @Test("the oldest make room, and are missing at the front")
    func oldest() {
        let emitters = Log<Emitter<Int, Never>>()
        let log = Log<String>()
        let signal = Signals.create(of: Int.self, limit: 3, overflow: .dropOldest) { emitter in
            emitters.append(emitter)
            return nil
        }
        let recorder = PausingRecorder(
            signal.on(next: { log.append("\($0)") }, lost: { log.append("lost \($0)") }),
            after: 1
        )
        for value in 0..<10 { emitters.entries[0].send(value) }
        recorder.play(1)
        // Losses are heard at once, even during a pause.
        #expect(log.entries == ["0"] + Array(repeating: "lost 1", count: 6) + ["7", "8", "9"])
    }

    /// A value lost from a queue is missing in its place, so later pairs are still correct.
    @Test("pairs stay correct, whatever their inputs lose", arguments: [1, 4, 1_024, 5_000])
    func pairs(limit: Int) {
        for kind in ["pair", "list", "pack"] {
            let (a, b) = (Subject(of: Int.self), Subject(of: Int.self))
            let signal =
                switch kind {
                case "pair": a.zip(b, limit: limit).map { [$0.0, $0.1] }.eraseToAnySignal()
                case "list": Signals.zip([a, b], limit: limit).eraseToAnySignal()
                default: Signals.zip(a, b, limit: limit).map { [$0.0, $0.1] }.eraseToAnySignal()
                }
            let recorder = PausingRecorder(signal, after: 1)
            for value in 0..<4_000 { a.send(value) }
            for value in 0..<4_000 { b.send(value) }
            for value in 4_000..<8_000 {
                a.send(value)
                b.send(value)
            }
            recorder.play(1)
            recorder.release()
            // Both have room again, however much was lost. The first value sent reports the losses.
            for value in 8_000..<9_000 {
                a.send(value)
                b.send(value)
            }
            a.complete()
            let areTogether = recorder.values.allSatisfy { $0[0] == $0[1] }
            #expect(areTogether, "\(kind)")
            #expect(recorder.valueCount + recorder.lost == 9_000, "\(kind)")
            #expect(recorder.values.suffix(999).map { $0[0] } == Array(8_001..<9_000), "\(kind)")
            #expect(recorder.hasEnded, "\(kind)")
        }
    }

    @Test("a flatMap with a queue loses the values that find it full")
    func waitingOuter() {
        let (outer, inner) = (Subject(of: Int.self), Subject(of: Int.self))
        let log = Log<String>()
        let recorder = PausingRecorder(
            outer.flatMap(.concat, limit: 2) { value in
                value == 0 ? inner.eraseToAnySignal() : Signals.just(value).eraseToAnySignal()
            }
            .on(next: { log.append("\($0)") }, lost: { log.append("lost \($0)") }),
            after: 1
        )
        for value in 0..<10 { outer.send(value) }
        inner.send(100)
        inner.complete()
        #expect(recorder.values == [100])
        recorder.play(1)
        #expect(log.entries == ["100", "1", "2", "lost 7"])
        outer.complete()
        #expect(recorder.hasEnded)
    }

    @Test("switching while paused holds no more than the documented bound")
    func switching() {
        let outer = Subject(of: Int.self)
        let living = Lock(0)
        final class Counted: Sendable {
            let living: Lock<Int>
            init(_ living: Lock<Int>) {
                self.living = living
                living.withLock { $0 += 1 }
            }
            deinit { living.withLock { $0 -= 1 } }
            func touch() {}
        }
        let recorder = PausingRecorder(
            outer.flatMapLatest { value in
                let counted = Counted(living)
                return Signals.just(value).map { value in
                    counted.touch()
                    return value
                }
            },
            after: 1
        )
        for value in 0..<5_000 { outer.send(value) }
        #expect(living.withLock { $0 } <= 2)
        recorder.release()
        // The signals in between can pause, and had sent nothing when the next one replaced them.
        #expect(recorder.values == [0, 4_999])
        #expect(recorder.lost == 0)
        outer.complete()
        #expect(recorder.hasEnded)
        #expect(living.withLock { $0 } == 0)
    }

    @Test(
        "however often it switches after a queued value, the newest is heard",
        arguments: [3, 1_024, 1_025, 5_000]
    )
    func switchingInLine(count: Int) {
        for isEmpty in [false, true] {
            let (outer, first) = (Subject(of: Int.self), Subject(of: Int.self))
            let recorder = PausingRecorder(
                outer.flatMapLatest { value in
                    switch (value, isEmpty) {
                    case (0, _): first.eraseToAnySignal()
                    case (_, true): Signals.empty(Int.self).eraseToAnySignal()
                    case (_, false): Signals.just(value).eraseToAnySignal()
                    }
                },
                after: 1
            )
            outer.send(0)
            first.send(-1)
            first.send(-2)
            for value in 1...count { outer.send(value) }
            #expect(recorder.values == [-1])
            recorder.release()
            #expect(recorder.values == (isEmpty ? [-1, -2] : [-1, -2, count]))
            #expect(!recorder.hasEnded)
            outer.complete()
            #expect(recorder.hasEnded)
        }
    }

    @Test("switches beyond the capacity of the queue become one")
    func switchesAreBounded() {
        var switches = LatestSwitches()
        let waiting = (UInt64(1)...5_000).filter { switches.wait($0) }
        #expect(waiting == Array(1...1_024))
        let kept = [1_024, 1_025, 5_000].map { switches.end($0) }
        #expect(kept == [false, true, true])
        let turns = (UInt64(1)...1_024).map { switches.take($0) }
        #expect(turns.dropLast().map(\.latest) == Array(1...1_023))
        #expect(turns.dropLast().allSatisfy { !$0.hasEnded })
        #expect(turns.last?.latest == 5_000)
        #expect(turns.last?.hasEnded == true)
        let isKept = switches.end(5_000)
        #expect(!isKept)
        let waits = switches.wait(5_001)
        #expect(waits)
    }
}
