import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Sources and operators that keep state for a subscription.
    static let flattening = Benchmark(name: "flattening") { settings, report in
        report.add(try create().run(settings))
        report.add(try merge().run(settings))
        report.add(try flatMap().run(settings))
        report.add(try concat().run(settings))
    }

    private static func create() -> Contest {
        Contest(
            name: "create",
            events: 2_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        Signals.create(of: Int.self) { emitter in
                            for number in 0..<count { emitter.next(number) }
                            emitter.completed()
                            return nil
                        }
                        .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
            ]
        )
    }

    private static func merge() -> Contest {
        Contest(
            name: "merge of two sequences",
            events: 2_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        Signals.merge([Signals.from(0..<count / 2), Signals.from(count / 2..<count)])
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
            ]
        )
    }

    private static func flatMap() -> Contest {
        Contest(
            name: "flatMap to just",
            events: 500_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        Signals.from(0..<count)
                            .flatMap { Signals.just($0) }
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .instead("OpenCombine", fewer: 4) { count in
                    Tally.of { tally in
                        let chain = (0..<count).publisher
                            .flatMap { Just($0) }
                            .sink { tally.add($0) }
                        chain.cancel()
                    }
                },
            ]
        )
    }

    private static func concat() -> Contest {
        Contest(
            name: "concat of justs",
            events: 500_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        Signals.concat((0..<count).lazy.map { Signals.just($0) })
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
            ]
        )
    }
}
