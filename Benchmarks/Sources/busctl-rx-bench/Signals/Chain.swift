import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Three stateless operators over a sequence. They should compile to a hand-written loop.
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

    /// Adds to a sum that others may see, like the last closure of a chain. A sum that the loop keeps in a register is
    /// up to twice as fast, depending on how long the processor takes to read what it has just written.
    private static func bareLoop(_ count: Int) -> UInt64 {
        Tally.of { tally in bareLoop(count, SharedTally(tally)) }
    }

    @inline(never)
    private static func bareLoop(_ count: Int, _ sum: SharedTally) {
        for number in 0..<count {
            let mixed = number ^ (number &>> 3)
            if mixed & 3 != 0 { sum.tally.add(mixed &+ 7) }
        }
    }

    private final class SharedTally {
        // Nobody changes it, but the compiler does not know that.
        @exclusivity(unchecked) var tally: Tally

        init(_ tally: Tally) {
            self.tally = tally
        }
    }
}
