import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Three operators after a hot source.
    static let subjectChain = Benchmark(name: "subject-chain") { settings, report in
        let contest = Contest(
            name: "subject, map, filter, map",
            events: 4_000_000,
            expected: callThenSteps,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let subject = Subject<Int, Never>()
                        _ =
                            subject
                            .map { $0 ^ ($0 &>> 3) }
                            .filter { $0 & 3 != 0 }
                            .map { $0 &+ 7 }
                            .subscribe(next: { tally.add($0) })
                        for number in 0..<count { subject.send(number) }
                    }
                },
                .floor("closure call", callThenSteps),
                .instead("OpenCombine", fewer: 10) { count in
                    Tally.of { tally in
                        let subject = PassthroughSubject<Int, Never>()
                        let chain =
                            subject
                            .map { $0 ^ ($0 &>> 3) }
                            .filter { $0 & 3 != 0 }
                            .map { $0 &+ 7 }
                            .sink { tally.add($0) }
                        for number in 0..<count { subject.send(number) }
                        chain.cancel()
                    }
                },
            ]
        )
        report.add(try contest.run(settings))
    }

    private static func callThenSteps(_ count: Int) -> UInt64 {
        Tally.of { tally in
            let call = steps(tally)
            for number in 0..<count { call(number) }
        }
    }

    // Not inlined, so that it remains a call.
    @inline(never)
    private static func steps(_ tally: Tally) -> @Sendable (Int) -> Void {
        { number in
            let mixed = number ^ (number &>> 3)
            if mixed & 3 != 0 { tally.add(mixed &+ 7) }
        }
    }
}
