import Bus
import BusTesting
import Records
import TestSupport
import Testing
import Timers

/// A record with a number that is also its time.
private func item(_ time: Int, of source: String = "a") -> RecordItem {
    .record(
        Record(
            source: source,
            time: RecordTime(microseconds: Int64(time)),
            sequence: 1,
            content: RecordFields(message: "\(time)")
        )
    )
}

/// `3`, or `3'` if it is late.
private func text(_ record: Record) -> String { "\(record.time.microseconds)\(record.isLate ? "'" : "")" }

@Suite("merge(inOrder:)")
struct MergeInOrderTests {
    private let time = TestScheduler()

    private func merged(
        _ sources: [AnySignal<RecordItem, TestFailure>],
        window: Duration = .milliseconds(100),
        limit: Int = 1024
    ) -> Recorder<String, TestFailure> {
        Recorder(Signals.merge(inOrder: sources, window: window, limit: limit, on: time).map(text), on: time)
    }

    private func subjects(_ count: Int) -> [Subject<RecordItem, TestFailure>] {
        (0..<count).map { _ in Subject(of: RecordItem.self, failure: TestFailure.self) }
    }

    @Test("records are sent in the order of their times, however fast each source is")
    func history() {
        let sources = [[1, 4, 4, 9], [2, 3, 10, 11], [], [5]].map { times in
            Signals.from(times.map { item($0) }).promoteFailure(to: TestFailure.self).eraseToAnySignal()
        }
        let recorder = merged(sources)
        #expect(recorder.values == ["1", "2", "3", "4", "4", "5", "9", "10", "11"] && recorder.hasEnded)
    }

    @Test("a source that has not reported its backlog is waited for; one that has, for at most the window")
    func idle() {
        let sources = subjects(2)
        let recorder = merged(sources.map { $0.eraseToAnySignal() })
        sources[0].send(item(7))
        time.advance(by: .seconds(3600))
        #expect(recorder.values == [])
        sources[1].send(.caughtUp)
        #expect(recorder.values == ["7"], "it has waited for longer than the window")
        sources[0].send(item(9))
        time.advance(by: .milliseconds(99))
        #expect(recorder.values == ["7"])
        time.advance(by: .milliseconds(1))
        #expect(recorder.values == ["7", "9"])
        sources[1].send(item(8))
        #expect(recorder.values == ["7", "9"], "the first source has not told all that there was")
        sources[0].send(.caughtUp)
        time.advance(by: .milliseconds(100))
        #expect(recorder.values == ["7", "9", "8'"])
        sources[0].complete()
        sources[1].send(item(20))
        #expect(recorder.values.last == "20", "nobody is left to wait for")
        sources[1].complete()
        #expect(recorder.hasEnded)
    }

    @Test("an observer that has enough when a window has passed hears the end, even if the sources are silent")
    func stopped() {
        let sources = subjects(2)
        let merged = Signals.merge(inOrder: sources.map { $0.eraseToAnySignal() }, on: time)
        let recorder = Recorder(merged.take(first: 1).map(text), on: time)
        for source in sources { source.send(.caughtUp) }
        sources[0].send(item(7))
        #expect(recorder.values == [] && !recorder.hasEnded)
        time.advance(by: .milliseconds(100))
        #expect(recorder.values == ["7"] && recorder.hasEnded)
        for source in sources { source.send(item(8)) }
        time.advance(by: .seconds(1))
        #expect(recorder.values == ["7"])
    }

    @Test("disorder within a source stays, and does not count as late")
    func disorder() {
        let sources = subjects(2)
        let recorder = merged(sources.map { $0.eraseToAnySignal() })
        sources[1].send(.caughtUp)
        for number in [5, 3, 6] { sources[0].send(item(number)) }
        sources[0].complete()
        time.advance(by: .milliseconds(100))
        #expect(recorder.values == ["5", "3", "6"])
    }

    @Test("with no window the order is that of arrival, and nothing is late")
    func arrival() {
        let sources = subjects(2)
        let recorder = merged(sources.map { $0.eraseToAnySignal() }, window: .zero)
        for (index, number) in [(0, 5), (1, 3), (0, 6), (1, 1)] { sources[index].send(item(number)) }
        #expect(recorder.values == ["5", "3", "6", "1"])
    }

    @Test("a source with too many waiting records is told to pause, and resumes when half of them are gone")
    func pausing() {
        let slow = Subject(of: RecordItem.self, failure: TestFailure.self)
        let fast = Signals.from((1...100).map { item($0) }).promoteFailure(to: TestFailure.self)
        let pulled = Lock(0)
        let counted = fast.on(next: { _ in pulled.withLock { $0 += 1 } }).eraseToAnySignal()
        let recorder = merged([counted, slow.eraseToAnySignal()], limit: 8)
        #expect(pulled.withLock { $0 } == 8 && recorder.values == [])
        slow.send(item(50))
        #expect(recorder.values.last == "50" || recorder.values.count >= 49)
        slow.complete()
        #expect(recorder.values == (1...50).map { "\($0)" } + ["50"] + (51...100).map { "\($0)" } && recorder.hasEnded)
    }

    @Test("a source with too many bytes waiting is told to pause, and what comes all the same is lost and counted")
    func largeRecords() {
        let content = RecordFields(message: [UInt8](repeating: 65, count: 1 << 20))
        let large = RecordItem.record(Record(source: "a", time: 1, sequence: 1, content: content))
        let pulled = Lock(0)
        let polite = Signals.from(Array(repeating: large, count: 100)).promoteFailure(to: TestFailure.self)
            .on(next: { _ in pulled.withLock { $0 += 1 } })
        let (rude, idle) = (subjects(1)[0], subjects(1)[0])
        let sources = [polite.eraseToAnySignal(), rude.eraseToAnySignal(), idle.eraseToAnySignal()]
        let recorder = Recorder(
            Signals.merge(inOrder: sources, byteLimit: 12 << 20, on: time).map { $0.content.footprint }
        )
        #expect(pulled.withLock { $0 } == 4 && recorder.values == [])
        for _ in 0..<20 { rude.send(large) }
        idle.complete()
        rude.complete()
        #expect(recorder.lost == 12 && recorder.valueCount == 108 && recorder.hasEnded)
        #expect(recorder.values.allSatisfy { $0 >= 1 << 20 })
    }

    @Test("a loss is heard behind the source's records that came before it")
    func loss() {
        let (source, other) = (ProbeSource<RecordItem, TestFailure>(), subjects(1)[0])
        let heard = Lock<[String]>([])
        let hear = { @Sendable (text: String) in heard.withLock { $0.append(text) } }
        let sources = [source.eraseToAnySignal(), other.eraseToAnySignal()]
        _ = Signals.merge(inOrder: sources, limit: 2, on: time).map(text)
            .subscribe(
                next: hear,
                failed: { hear("\($0)") },
                completed: { hear("end") },
                lost: { hear("lost \($0)") }
            )
        source.sendLoss(of: 4)
        #expect(heard.withLock { $0 } == ["lost 4"])
        source.send(item(1))
        source.sendLoss(of: 5)
        // The last one finds no room.
        for number in [2, 3, 4] { source.send(item(number)) }
        #expect(heard.withLock { $0 } == ["lost 4"])
        other.complete()
        source.send(item(8))
        source.sendLoss(of: 6)
        source.complete()
        #expect(heard.withLock { $0 } == ["lost 4", "1", "lost 5", "2", "3", "lost 1", "8", "lost 6", "end"])
    }

    @Test("limits may be as large as a number can be")
    func noLimits() {
        let source = Signals.from((1...3).map { item($0) }).eraseToAnySignal()
        let merged = Signals.merge(inOrder: [source], limit: .max, byteLimit: .max, on: time)
        #expect(Recorder(merged.map(text)).values == ["1", "2", "3"])
    }

    /// Asks twice to be called when there is room.
    private struct AskingTwice: Signal {
        typealias Value = RecordItem
        typealias Failure = TestFailure
        let resume: @Sendable () -> @Sendable () -> Void

        func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
            _ = observer.next(item(3))
            _ = observer.whenReady(resume())
            _ = observer.whenReady {}
            observer.terminate(.completed)
            return FinishedDisposable()
        }

        var chain: Chain { Chain(source: "asking") }
    }

    @Test("a closure that is replaced is released outside the lock: what it holds may send to another source")
    func replacedClosure() {
        let other = subjects(1)[0]
        let asking = AskingTwice { AtRelease.closure { other.send(item(1)) } }
        let recorder = merged([other.eraseToAnySignal(), asking.eraseToAnySignal()], limit: 1)
        other.complete()
        #expect(recorder.values == ["1", "3"] && recorder.hasEnded)
    }

    @Test("while the observer has no room nothing is sent and the sources pause; nothing is lost")
    func observerPauses() {
        let sources = [Signals.from((0..<500).map { item($0 * 2) }), Signals.from((0..<500).map { item($0 * 2 + 1) })]
        let merged = Signals.merge(inOrder: sources.map { $0.eraseToAnySignal() }, limit: 4, on: time)
        let recorder = PausingRecorder(merged.map(text), after: 0)
        #expect(recorder.values == [])
        var expected = 0
        for room in [1, 1, 7, 100, 3] {
            recorder.release(room)
            expected += room
            #expect(recorder.values == (0..<expected).map { "\($0)" })
        }
        recorder.release()
        #expect(recorder.values == (0..<1000).map { "\($0)" } && recorder.hasEnded && recorder.lost == 0)
    }

    @Test("waiting records are sent before a failure, and everything else ends")
    func failure() {
        let sources = subjects(3)
        let recorder = merged(sources.map { $0.eraseToAnySignal() })
        sources[0].send(item(4))
        sources[1].send(item(2))
        sources[1].fail("broken")
        #expect(recorder.values == ["2", "4"])
        #expect(recorder.events.last == .failed("broken"))
        sources[0].send(item(9))
        #expect(recorder.values == ["2", "4"])
    }

    @Test("a paused source is not read on before a failure; what waits is sent in order")
    func failureBesidePaused() {
        let sources = subjects(2)
        let pulled = Lock(0)
        let fast = Signals.from((1...1000).map { item($0) }).promoteFailure(to: TestFailure.self)
            .on(next: { _ in pulled.withLock { $0 += 1 } })
        let recorder = merged(sources.map { $0.eraseToAnySignal() } + [fast.eraseToAnySignal()], limit: 8)
        for number in [0, 4, 2000] { sources[0].send(item(number)) }
        sources[1].fail("broken")
        #expect(recorder.values == ["0", "1", "2", "3", "4", "4", "5", "6", "7", "8", "2000"])
        #expect(recorder.events.last == .failed("broken") && pulled.withLock { $0 } == 8 && recorder.lost == 0)
    }

    @Test("a failure at once is heard before the other sources are read on")
    func failureAtOnce() {
        let fast = Signals.from((1...1000).map { item($0) }).promoteFailure(to: TestFailure.self)
        let broken = Signals.fail("broken" as TestFailure, of: RecordItem.self)
        let recorder = merged([fast.eraseToAnySignal(), broken.eraseToAnySignal()], limit: 8)
        #expect(recorder.values == (1...8).map { "\($0)" } && recorder.events.last == .failed("broken"))
        #expect(recorder.violations.isEmpty)
    }

    @Test("the delivery contract")
    func contract() {
        let check = ContractCheck("merge(inOrder:)", inputs: 2) { sources in
            let items = sources.map { source in
                source.map {
                    RecordItem.record(
                        Record(
                            source: "a",
                            time: RecordTime(microseconds: Int64($0)),
                            sequence: 1,
                            content: RecordFields()
                        )
                    )
                }
                .eraseToAnySignal()
            }
            return Signals.merge(inOrder: items, window: .zero).map { Int($0.time.microseconds) }
        }
        #expect(check.violations() == [])
    }

    @Test("random sources: each record once, each source in its order, and sorted if nothing was late")
    func random() {
        for seed in 0..<UInt64(Stress.rounds(300, stress: 3000)) {
            var generator = SeededGenerator(seed)
            let time = TestScheduler()
            let count = Int.random(in: 1...5, using: &generator)
            let sources = (0..<count).map { _ in Subject(of: RecordItem.self, failure: TestFailure.self) }
            let limit = Int.random(in: 1...2000, using: &generator)
            let merged = Signals.merge(
                inOrder: sources.map { $0.eraseToAnySignal() },
                window: .milliseconds(10),
                limit: max(limit, 600),
                on: time
            )
            let recorder = PausingRecorder(merged, after: Int.random(in: 0...20, using: &generator), on: time)
            var sent: [[Int64]] = Array(repeating: [], count: count)
            // Each source's clock lags by less than the window, so nothing need be late.
            let lags = (0..<count).map { _ in Int64.random(in: 0..<9, using: &generator) }
            for source in sources { source.send(.caughtUp) }
            for _ in 0..<500 {
                let index = Int.random(in: 0..<count, using: &generator)
                let number = time.now.nanoseconds / 1_000_000 - lags[index]
                if sent[index].last ?? .min <= number {
                    sources[index].send(item(Int(number), of: "\(index)"))
                    sent[index].append(number)
                }
                if Bool.random(using: &generator) {
                    time.advance(by: .milliseconds(Int.random(in: 0...4, using: &generator)))
                }
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    recorder.release(Int.random(in: 0...40, using: &generator))
                }
            }
            for source in sources { source.complete() }
            recorder.release()
            let heard = recorder.values
            #expect(heard.count == sent.joined().count && recorder.lost == 0, "seed \(seed)")
            for index in 0..<count {
                #expect(
                    heard.filter { $0.source == "\(index)" }.map(\.time.microseconds) == sent[index],
                    "seed \(seed)"
                )
            }
            let punctual = heard.filter { !$0.isLate }.map(\.time.microseconds)
            #expect(punctual == punctual.sorted(), "seed \(seed)")
            #expect(heard.allSatisfy { !$0.isLate }, "seed \(seed)")
        }
    }
}
