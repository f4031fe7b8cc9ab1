import Bus

extension Benchmark {
    /// Ten to ten thousand signals combined into one. Apart from cache misses, an event costs the same for any number
    /// of signals.
    static let combiningMany = Benchmark(name: "combining-many") { settings, report in
        for inputs in [10, 1_000, 10_000] {
            for contest in [combineLatest(inputs), merge(inputs), zip(inputs)] {
                report.add(
                    try contest.run(settings),
                    bounds: [Bound(name: contest.name, limit: .aboveFloor(atMost: 10))]
                )
            }
        }
    }

    private static func combineLatest(_ inputs: Int) -> Contest {
        let subjects = (0..<inputs).map { _ in Subject(of: Int.self) }
        let sum = Sum()
        _ = Signals.combineLatest(subjects).subscribe(next: { sum.add($0[inputs - 1]) })
        for subject in subjects { subject.send(0) }
        let ours = FanoutRig(send: { subjects[inputs - 1].send($0) }, total: { sum.value })
        return Contest(
            name: "combineLatest of \(inputs.grouped) subjects",
            events: 2_000_000,
            expected: Tally.ofNumbers,
            contenders: [.ours(ours.run), .floor("two turns, a place in an array, a closure call", placing(inputs))]
        )
    }

    private static func merge(_ inputs: Int) -> Contest {
        let subjects = (0..<inputs).map { _ in Subject(of: Int.self) }
        let sum = Sum()
        _ = Signals.merge(subjects).subscribe(next: { sum.add($0) })
        let ours = FanoutRig(send: { subjects[$0 % inputs].send($0) }, total: { sum.value })
        return Contest(
            name: "merge of \(inputs.grouped) subjects",
            events: 2_000_000,
            expected: Tally.ofNumbers,
            contenders: [.ours(ours.run), .floor("two turns and a closure call", Turns.two(of: inputs))]
        )
    }

    private static func zip(_ inputs: Int) -> Contest {
        let subjects = (0..<inputs).map { _ in Subject(of: Int.self) }
        let sum = Sum()
        _ = Signals.zip(subjects).subscribe(next: { sum.add($0[inputs - 1]) })
        let ours = FanoutRig(
            runWhole: { count in
                for round in 0..<count / inputs { for subject in subjects { subject.send(round) } }
            },
            total: { sum.value }
        )
        return Contest(
            name: "zip of \(inputs.grouped) subjects",
            events: 2_000_000,
            expected: { Tally.ofNumbers(below: $0 / inputs) },
            contenders: [
                .ours(ours.run), .floor("two turns, and into a queue and out of it", Turns.twoOfRounds(of: inputs)),
            ]
        )
    }

    /// The floor for keeping the latest values of many signals.
    private static func placing(_ inputs: Int) -> (Int) -> UInt64 {
        let (source, joined, sum) = (Turn(), Turn(), Sum())
        let latest = Listed(count: inputs)
        let listener = listener(sum, at: inputs - 1)
        return { count in
            let before = sum.value
            for number in 0..<count {
                source.take()
                joined.take()
                latest.values[inputs - 1] = number
                listener(latest.values)
                joined.leave()
                source.leave()
            }
            return sum.value &- before
        }
    }

    private final class Listed {
        var values: [Int]

        init(count: Int) {
            values = Array(repeating: 0, count: count)
        }
    }

    // Not inlined, so that it remains a call.
    @inline(never)
    private static func listener(_ sum: Sum, at index: Int) -> @Sendable ([Int]) -> Void {
        { sum.add($0[index]) }
    }
}
