import Bus

extension Benchmark {
    /// Ten to ten thousand signals made into one: an event costs the same however many there are, but for what lies
    /// outside of the caches.
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
        Contest(
            name: "combineLatest of \(inputs) subjects",
            events: 1_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let subjects = (0..<inputs).map { _ in Subject<Int, Never>() }
                        let chain = Signals.combineLatest(subjects).subscribe(next: { tally.add($0[inputs - 1]) })
                        for subject in subjects { subject.send(0) }
                        for number in 0..<count { subjects[inputs - 1].send(number) }
                        chain.dispose()
                    }
                },
                .floor("two turns and a closure call", Turns.two()),
            ]
        )
    }

    private static func merge(_ inputs: Int) -> Contest {
        Contest(
            name: "merge of \(inputs) subjects",
            events: 1_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let subjects = (0..<inputs).map { _ in Subject<Int, Never>() }
                        let chain = Signals.merge(subjects).subscribe(next: { tally.add($0) })
                        for number in 0..<count { subjects[number % inputs].send(number) }
                        chain.dispose()
                    }
                },
                .floor("two turns and a closure call", Turns.two(of: inputs)),
            ]
        )
    }

    private static func zip(_ inputs: Int) -> Contest {
        Contest(
            name: "zip of \(inputs) subjects",
            events: 1_000_000,
            expected: { count in count < inputs ? 0 : Tally.ofNumbers(below: count / inputs) },
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let subjects = (0..<inputs).map { _ in Subject<Int, Never>() }
                        let chain = Signals.zip(subjects).subscribe(next: { tally.add($0[inputs - 1]) })
                        for round in 0..<count / inputs { for subject in subjects { subject.send(round) } }
                        chain.dispose()
                    }
                },
                .floor("two turns and a closure call", Turns.twoOfRounds(of: inputs)),
            ]
        )
    }
}
