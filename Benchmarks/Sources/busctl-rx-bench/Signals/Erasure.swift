import Bus

extension Benchmark {
    /// The cost of storing a signal: the same chain with and without one type erasure.
    static let erasure = Benchmark(name: "erasure") { settings, report in
        let contest = Contest(
            name: "one AnySignal",
            events: 10_000_000,
            expected: mixedNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .map { $0 ^ ($0 &>> 3) }
                            .eraseToAnySignal()
                            .map { $0 ^ ($0 &>> 5) }
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("not erased") { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .map { $0 ^ ($0 &>> 3) }
                            .map { $0 ^ ($0 &>> 5) }
                            .subscribe(next: { tally.add($0) })
                    }
                },
            ]
        )
        report.add(try contest.run(settings))
    }

    private static func mixedNumbers(_ count: Int) -> UInt64 {
        Tally.of { tally in
            for number in 0..<count {
                let mixed = number ^ (number &>> 3)
                tally.add(mixed ^ (mixed &>> 5))
            }
        }
    }
}
