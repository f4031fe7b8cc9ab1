import Bus

extension Benchmark {
    /// Long chains of one operator. When the generic specialiser gave up, every `map` from the third on cost 3 ns.
    static let maps = Benchmark(name: "maps") { settings, report in
        let ten = try Contest(
            name: "ten maps",
            events: 10_000_000,
            expected: tenSteps,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .map { $0 ^ ($0 &>> 1) }.map { $0 ^ ($0 &>> 2) }.map { $0 ^ ($0 &>> 3) }
                            .map { $0 ^ ($0 &>> 4) }.map { $0 ^ ($0 &>> 5) }.map { $0 ^ ($0 &>> 6) }
                            .map { $0 ^ ($0 &>> 7) }.map { $0 ^ ($0 &>> 8) }.map { $0 ^ ($0 &>> 9) }
                            .map { $0 ^ ($0 &>> 10) }
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("bare loop", tenSteps),
            ]
        ).run(settings)
        report.add(ten, bounds: [Bound(name: "ten maps do not fall off the cliff", limit: .median(atMost: 30))])
        report.add(perMap(ten, count: 10))

        let sixteen = try Contest(
            name: "sixteen maps",
            events: 5_000_000,
            expected: sixteenSteps,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .map { $0 ^ ($0 &>> 1) }.map { $0 ^ ($0 &>> 2) }.map { $0 ^ ($0 &>> 3) }
                            .map { $0 ^ ($0 &>> 4) }.map { $0 ^ ($0 &>> 5) }.map { $0 ^ ($0 &>> 6) }
                            .map { $0 ^ ($0 &>> 7) }.map { $0 ^ ($0 &>> 8) }.map { $0 ^ ($0 &>> 9) }
                            .map { $0 ^ ($0 &>> 10) }.map { $0 ^ ($0 &>> 11) }.map { $0 ^ ($0 &>> 12) }
                            .map { $0 ^ ($0 &>> 13) }.map { $0 ^ ($0 &>> 14) }.map { $0 ^ ($0 &>> 15) }
                            .map { $0 ^ ($0 &>> 16) }
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("bare loop", sixteenSteps),
            ]
        ).run(settings)
        report.add(sixteen)
        report.add(perMap(sixteen, count: 16))
    }

    /// The share of the chain's cost for each of its operators.
    private static func perMap(_ standing: Standing, count: Double) -> Standing {
        var series = Series(name: standing.ours.name)
        series.samples = standing.ours.samples.map { $0 / count }
        return Standing(name: "each of the \(standing.name)", unit: "ns/event", ours: series)
    }

    private static func tenSteps(_ count: Int) -> UInt64 {
        Tally.of { tally in
            for number in 0..<count {
                var mixed = number
                mixed ^= mixed &>> 1
                mixed ^= mixed &>> 2
                mixed ^= mixed &>> 3
                mixed ^= mixed &>> 4
                mixed ^= mixed &>> 5
                mixed ^= mixed &>> 6
                mixed ^= mixed &>> 7
                mixed ^= mixed &>> 8
                mixed ^= mixed &>> 9
                mixed ^= mixed &>> 10
                tally.add(mixed)
            }
        }
    }

    private static func sixteenSteps(_ count: Int) -> UInt64 {
        Tally.of { tally in
            for number in 0..<count {
                var mixed = number
                mixed ^= mixed &>> 1
                mixed ^= mixed &>> 2
                mixed ^= mixed &>> 3
                mixed ^= mixed &>> 4
                mixed ^= mixed &>> 5
                mixed ^= mixed &>> 6
                mixed ^= mixed &>> 7
                mixed ^= mixed &>> 8
                mixed ^= mixed &>> 9
                mixed ^= mixed &>> 10
                mixed ^= mixed &>> 11
                mixed ^= mixed &>> 12
                mixed ^= mixed &>> 13
                mixed ^= mixed &>> 14
                mixed ^= mixed &>> 15
                mixed ^= mixed &>> 16
                tally.add(mixed)
            }
        }
    }
}
