import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Three stateless operators over a sequence, which should compile to the loop one would have written.
    static let chain = Benchmark(name: "chain") { settings, report in
        let contest = Contest(
            name: "map, filter, map over a sequence",
            events: 20_000_000,
            expected: bareLoop,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .map { $0 ^ ($0 &>> 3) }
                            .filter { $0 & 3 != 0 }
                            .map { $0 &+ 7 }
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("bare loop", bareLoop),
                .instead("OpenCombine", fewer: 40) { count in
                    Tally.of { tally in
                        let chain = (0..<count).publisher
                            .map { $0 ^ ($0 &>> 3) }
                            .filter { $0 & 3 != 0 }
                            .map { $0 &+ 7 }
                            .sink { tally.add($0) }
                        chain.cancel()
                    }
                },
            ]
        )
        report.add(
            try contest.run(settings),
            bounds: [Bound(name: "three fused operators", limit: .timesFloor(atMost: 1.5))]
        )
    }

    private static func bareLoop(_ count: Int) -> UInt64 {
        Tally.of { tally in
            for number in 0..<count {
                let mixed = number ^ (number &>> 3)
                if mixed & 3 != 0 { tally.add(mixed &+ 7) }
            }
        }
    }
}
