import Bus
import BusTesting
import Records
import TestSupport
import Testing
import Timers

@testable import RecordSources

@Suite("The counts of many machines")
struct CountingMachinesTests {
    private static let grouping = RecordGrouping(fields: [FieldPath(name: "unit")])

    private static func key(_ value: String?) -> RecordCounts.Key { RecordCounts.Key(time: 0, values: [value]) }

    /// Counts the machines that are asked at once.
    private struct Asked {
        var present = 0
        var most = 0
    }

    /// Gathers until nothing more comes.
    private func gather(
        _ sources: [CountedSource],
        within limit: Duration = .seconds(30),
        on scheduler: TestScheduler
    ) -> (counts: GatheredCounts, isComplete: Bool) {
        let gathered = Lock((counts: GatheredCounts(), isComplete: false))
        let subscription = Signals.counting(sources, within: limit, on: scheduler).subscribe(
            next: { event in
                gathered.withLock { _ = $0.counts.take(event, of: sources[event.source].name, in: Self.grouping) }
            },
            completed: { gathered.withLock { $0.isComplete = true } }
        )
        scheduler.run()
        subscription.dispose()
        return gathered.withLock { $0 }
    }

    @Test(
        "a thousand answer in any order, or never: the sum is exact, and the silent ones are named",
        arguments: [1, 2] as [UInt64]
    )
    func thousand(_ seed: UInt64) throws {
        let scheduler = TestScheduler()
        let asked = Lock(Asked())
        var random = SeededGenerator(seed)
        var expected: [RecordCounts.Key: Int] = [:]
        var total = 0
        let silent = Set((0..<1000).shuffled(using: &random).prefix(10))
        let sources = (0..<1000).map { number in
            var counts = RecordCounts()
            // More than fit into one table, so that some cannot be told apart.
            for unit in 0..<20 { counts.add(.random(in: 1...1 << 40, using: &random), of: Self.key("unit-\(unit)")) }
            for unit in 0..<110 { counts.add(unit + 1, of: Self.key("\(number)-\(unit)")) }
            counts.add(7, of: Self.key(nil))
            if !silent.contains(number) {
                total += counts.total
                for (key, count) in counts.counts { expected[key, default: 0] += count }
            }
            let delay = Duration.milliseconds(Int.random(in: 0..<30_000, using: &random))
            let answer = CountLines(fields: ["unit"], hasSpans: false).framed(counts, gaps: [])
            let counting: AnySignal<SourceCounting, SourceError> =
                silent.contains(number)
                ? Signals.never(failure: SourceError.self).eraseToAnySignal()
                : Signals.timer(after: delay, on: scheduler).promoteFailure(to: SourceError.self).attemptMap {
                    (_) throws(SourceError) in .counts(try Self.read(answer))
                }.eraseToAnySignal()
            let machine = Signals.using(
                {
                    asked.withLock { asked in
                        asked.present += 1
                        asked.most = max(asked.most, asked.present)
                    }
                },
                release: { asked.withLock { $0.present -= 1 } }
            ) { counting }
            return CountedSource(name: "host-\(number)", isMachine: true, counts: machine.eraseToAnySignal())
        }
        let (gathered, isComplete) = gather(sources, on: scheduler)
        #expect(isComplete && gathered.complete == 990)
        #expect(
            Set(gathered.failures.map(\.source)) == Set(silent.map { "host-\($0)" }) && gathered.failures.count == 10
        )
        #expect(gathered.failures.allSatisfy { $0.reason == "nothing has come for 30s; see --within" })
        #expect(gathered.counts.total == total && gathered.counts.counts.count == 100_000)
        let told = gathered.counts.counts.filter { $0.value != expected[$0.key] }
        #expect(told.isEmpty)
        #expect(gathered.counts.others == total - gathered.counts.counts.values.reduce(0, +))
        #expect(asked.withLock { ($0.most, $0.present) } == (Signals.maxCountedMachines, 0))
        #expect(scheduler.pendingCount == 0)
    }

    private static func read(_ text: String) throws(SourceError) -> RecordCounts {
        var reader = CountLinesReader(grouping, of: "")
        do throws(CountLinesReader.Fault) {
            try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(CountLinesReader.Fault) in
                try reader.take(UnsafeRawBufferPointer(bytes))
            }
            return try reader.end().counts
        } catch {
            throw SourceError(of: "", error.description)
        }
    }

    @Test(
        "a machine whose records come has as long for each of them, and what it sent before it fell silent is left out"
    )
    func records() {
        let scheduler = TestScheduler()
        func machine(_ name: String, every period: Duration, count: Int, isMachine: Bool = true) -> CountedSource {
            let records = Signals.interval(every: period, on: scheduler).promoteFailure(to: SourceError.self)
                .flatMap { (_) -> AnySignal<SourceCounting, SourceError> in
                    let record = Record(source: name, time: 0, sequence: 1, content: RecordFields(["unit": .text("a")]))
                    return Signals.from([.isRead, .record(record)]).promoteFailure(to: SourceError.self)
                        .eraseToAnySignal()
                }
                .take(first: count * 2)
            return CountedSource(name: name, isMachine: isMachine, counts: records.eraseToAnySignal())
        }
        let slow = machine("slow", every: .seconds(20), count: 10)
        let file = machine("file", every: .seconds(500), count: 2, isMachine: false)
        let stuck = CountedSource(
            name: "stuck",
            isMachine: true,
            counts: machine("stuck", every: .seconds(1), count: 5).counts.concat(
                Signals.never(SourceCounting.self, failure: SourceError.self)
            ).eraseToAnySignal()
        )
        let (gathered, isComplete) = gather([slow, file, stuck], on: scheduler)
        #expect(isComplete && gathered.complete == 2 && gathered.failures.map(\.source) == ["stuck"])
        #expect(gathered.counts.counts == [Self.key("a"): 12] && gathered.read == [0, 1])
    }

    @Test("counts that are too large together leave out the machine that comes last")
    func overflow() {
        let sources = (0..<3).map { number in
            var counts = RecordCounts()
            counts.add(.max / 2, of: Self.key("a"))
            return CountedSource(
                name: "host-\(number)",
                isMachine: true,
                counts: Signals.just(SourceCounting.counts(counts)).promoteFailure(to: SourceError.self)
                    .eraseToAnySignal()
            )
        }
        let gathered = gather(sources, on: TestScheduler()).counts
        #expect(gathered.counts.total == .max - 1 && gathered.complete == 2)
        #expect(gathered.failures.map(\.source) == ["host-2"])
    }
}
