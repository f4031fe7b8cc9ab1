import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

/// Every source that can pause, through operators without a queue, with an observer that pauses again and again.
@Suite("Sources that can pause")
struct PausedSourceTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        var count = 20
        let make: @Sendable (CountedNumbers, TestScheduler) -> AnySignal<Int, Never>

        var testDescription: String { name }

        static let all = [
            Source(name: "sequence") { numbers, _ in Signals.from(numbers).eraseToAnySignal() },
            Source(name: "sequence on a scheduler") { numbers, time in
                Signals.from(numbers, on: time).eraseToAnySignal()
            },
            Source(name: "sequence on a scheduler, in bursts of 2") { numbers, time in
                Signals.from(numbers, on: time, burst: 2).eraseToAnySignal()
            },
            Source(name: "just", count: 1) { numbers, _ in
                Signals.deferred {
                    var iterator = numbers.makeIterator()
                    return Signals.just(iterator.next() ?? -1)
                }
                .eraseToAnySignal()
            },
            Source(name: "attempt", count: 1) { numbers, _ in
                Signals.attempt { () throws(Never) in
                    var iterator = numbers.makeIterator()
                    return iterator.next() ?? -1
                }
                .eraseToAnySignal()
            },
            Source(name: "deferred") { numbers, _ in Signals.deferred { Signals.from(numbers) }.eraseToAnySignal() },
            Source(name: "using") { numbers, _ in
                Signals.using({ numbers }, release: { _ in }, { Signals.from($0) }).eraseToAnySignal()
            },
            Source(name: "create") { numbers, _ in Signals.politely(numbers).eraseToAnySignal() },
            Source(name: "create that may keep one", count: 20) { numbers, _ in
                Signals.politely(numbers, limit: 1).eraseToAnySignal()
            },
            Source(name: "concat of sequences") { numbers, _ in
                Signals.from(numbers).concat(Signals.from(CountedNumbers(count: 0, lead: numbers.lead)))
                    .eraseToAnySignal()
            },
        ]
    }

    struct Step: Sendable {
        let name: String
        let build: @Sendable (AnySignal<Int, Never>) -> AnySignal<Int, Never>
        let means: @Sendable ([Int]) -> [Int]

        init(
            _ name: String,
            _ build: @escaping @Sendable (AnySignal<Int, Never>) -> some Signal<Int, Never>,
            _ means: @escaping @Sendable ([Int]) -> [Int]
        ) {
            self.name = name
            self.build = { build($0).eraseToAnySignal() }
            self.means = means
        }

        static let all = [
            Step("nothing", { $0 }, { $0 }),
            Step("map", { $0.map { $0 + 1 } }, { $0.map { $0 + 1 } }),
            Step("filter", { $0.filter { $0 % 3 == 0 } }, { $0.filter { $0 % 3 == 0 } }),
            Step("scan", { $0.scan(0, +) }, { $0.reduce(into: []) { $0.append(($0.last ?? 0) + $1) } }),
            Step("take(first:)", { $0.take(first: 7) }, { Array($0.prefix(7)) }),
            Step("take(last:)", { $0.take(last: 7) }, { Array($0.suffix(7)) }),
            Step("skip(last:)", { $0.skip(last: 3) }, { Array($0.dropLast(3)) }),
            Step(
                "collect(count:)",
                { $0.collect(count: 3).map { $0.reduce(0, +) } },
                { values in
                    stride(from: 0, to: values.count, by: 3).map { values[$0..<min($0 + 3, values.count)].reduce(0, +) }
                }
            ),
            Step(
                "materialize",
                { $0.materialize().map { if case .next(let value) = $0 { value } else { -1 } } },
                { $0 + [-1] }
            ),
            Step("reduce", { $0.reduce(0, +) }, { [$0.reduce(0, +)] }),
            Step("take(last:) twice", { $0.take(last: 5).take(last: 3) }, { Array($0.suffix(3)) }),
            Step("append", { $0.append(7, 8, 9) }, { $0 + [7, 8, 9] }),
            Step("replaceEmpty", { $0.filter { $0 < 0 }.replaceEmpty(with: 4) }, { _ in [4] }),
        ]
    }

    @Test("everything arrives in order, and nothing is requested meanwhile", arguments: Source.all, [1, 2, 3, 7])
    func inOrder(source: Source, every step: Int) {
        for operation in Step.all {
            let (time, lead) = (TestScheduler(), Lead())
            let numbers = CountedNumbers(count: source.count, lead: lead)
            let recorder = PausingRecorder(operation.build(source.make(numbers, time)), after: step)
            recorder.play(step) {
                time.run()
                let asked = lead.asked
                time.run()
                #expect(lead.asked == asked, "\(operation.name)")
            }
            #expect(recorder.values == operation.means(Array(0..<source.count)), "\(operation.name)")
            #expect(recorder.hasEnded, "\(operation.name)")
            #expect(recorder.overrun == 0, "\(operation.name)")
            #expect(recorder.lost == 0, "\(operation.name)")
            #expect(recorder.violations == [], "\(operation.name)")
            #expect(time.pendingCount == 0, "\(operation.name)")
        }
    }

    @Test("a source that is paused before it begins is asked for nothing", arguments: Source.all)
    func pausedFromTheBeginning(source: Source) {
        let (time, lead) = (TestScheduler(), Lead())
        // `attempt` calls its closure while subscribing.
        let isAcquired = ["just", "attempt"].contains(source.name)
        let recorder = PausingRecorder(source.make(CountedNumbers(count: source.count, lead: lead), time), after: 0)
        time.run()
        #expect(lead.asked == (isAcquired ? 1 : 0))
        #expect(recorder.isAwaited)
        recorder.release()
        time.run()
        #expect(recorder.values == Array(0..<source.count))
        #expect(recorder.hasEnded)
    }

    @Test("a source that has waited for room to begin keeps nothing after its end")
    func nothingKept() {
        func isKeptBy(_ make: (AnySignal<Int, Never>) -> AnySignal<Int, Never>) -> Bool {
            isKept { canary in
                let one = Signals.deferred {
                    canary.sing()
                    return Signals.just(1)
                }
                let recorder = PausingRecorder(make(one.eraseToAnySignal()), after: 0)
                recorder.play(1)
                #expect(recorder.hasEnded)
            }
        }
        #expect(!isKeptBy { $0.concat(Signals.just(2)).eraseToAnySignal() })
        #expect(!isKeptBy { $0.repeat(3).eraseToAnySignal() })
    }

    @Test("a value is requested when the previous one was taken", arguments: Source.all)
    func lead(source: Source) {
        let (time, lead) = (TestScheduler(), Lead())
        let numbers = source.make(CountedNumbers(count: source.count, lead: lead), time)
        let recorder = PausingRecorder(numbers, after: 1, onNext: { _ in lead.hear() })
        recorder.play(1) { time.run() }
        #expect(recorder.values == Array(0..<source.count))
        #expect(lead.most == 1)
    }

    @Test("disposed of while it pauses, all of it is freed and nothing arrives", arguments: Source.all)
    func disposed(source: Source) {
        let time = TestScheduler()
        weak var (above, below): (Canary?, Canary?)
        let recorder: Lock<PausingRecorder<Int, Never>?>
        do {
            let (singer, listener) = (Canary(), Canary())
            (above, below) = (singer, listener)
            let numbers = CountedNumbers(count: source.count, lead: Lead(), canary: singer)
            let heard = source.make(numbers, time).map { value in
                listener.sing()
                return value
            }
            recorder = Lock(PausingRecorder(heard, after: source.count == 1 ? 0 : 3))
        }
        time.run()
        let paused = recorder.withLock { $0 }
        #expect(paused?.isAwaited == true)
        paused?.dispose()
        time.run()
        #expect(above == nil)
        #expect(below == nil)
        paused?.release()
        time.run()
        #expect(paused?.valueCount == (source.count == 1 ? 0 : 3))
        #expect(paused?.hasEnded == false)
        #expect(paused?.eventsAfterDisposal == 0)
    }

    @Test("what an operator still has to send at the end is freed with the rest")
    func disposedAtTheEnd() {
        weak var canary: Canary?
        let recorder: PausingRecorder<Int, Never>
        do {
            let singer = Canary()
            canary = singer
            let last = Signals.from(0..<20).take(last: 7).take(last: 5).map { value in
                singer.sing()
                return value
            }
            recorder = PausingRecorder(last, after: 2)
        }
        #expect(recorder.values == [15, 16])
        #expect(canary != nil)
        recorder.dispose()
        #expect(canary == nil)
        recorder.release()
        #expect(recorder.values == [15, 16])
        #expect(!recorder.hasEnded)
    }

    @Test("an asynchronous sequence is not asked for the next element", arguments: [1, 2, 3, 7])
    func asynchronous(every step: Int) async {
        let lead = Lead()
        let numbers = CountedAsyncNumbers(numbers: CountedNumbers(count: 50, lead: lead))
        let recorder = PausingRecorder(Signals.from(numbers), after: step, onNext: { _ in lead.hear() })
        while !recorder.hasEnded, !RunLimit.isOver {
            if recorder.isAwaited { recorder.release(step) }
            await Task.yield()
        }
        #expect(recorder.values == Array(0..<50))
        #expect(lead.most == 1)
        #expect(recorder.overrun == 0)
    }

    @Test("a task that waits for room ends when it is disposed of")
    func asynchronousDisposal() async {
        weak var canary: Canary?
        let recorder: PausingRecorder<Int, Never>
        do {
            let singer = Canary()
            canary = singer
            let numbers = CountedNumbers(count: .max, lead: Lead(), canary: singer)
            recorder = PausingRecorder(Signals.from(CountedAsyncNumbers(numbers: numbers)), after: 3)
        }
        while !recorder.isAwaited, !RunLimit.isOver { await Task.yield() }
        recorder.dispose()
        while canary != nil, !RunLimit.isOver { await Task.yield() }
        #expect(canary == nil)
        #expect(recorder.values == [0, 1, 2])
        #expect(!recorder.hasEnded)
    }
}
