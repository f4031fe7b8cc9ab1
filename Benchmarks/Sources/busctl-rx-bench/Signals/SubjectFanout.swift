import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Sending by hand to one subscriber and to ten.
    static let subject = Benchmark(name: "subject") { settings, report in
        let one = try fanout("subject, one subscriber", listeners: 1, events: 4_000_000, floor: ClosureCalls.one)
        report.add(
            try one.run(settings),
            bounds: [
                Bound(
                    name: "a subject with one subscriber",
                    limit: .timesFaster(than: "OpenCombine", atLeast: 4)
                )
            ]
        )
        let ten = try fanout("subject, ten subscribers", listeners: 10, events: 1_000_000, floor: ClosureCalls.ten)
        report.add(try ten.run(settings))
    }

    private static func fanout(
        _ name: String,
        listeners: Int,
        events: Int,
        floor: @escaping (Int) -> UInt64
    ) throws -> Contest {
        Contest(
            name: name,
            events: events,
            expected: { Tally.ofNumbers(below: $0) &* UInt64(listeners) },
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let subject = Subject<Int, Never>()
                        for _ in 0..<listeners { subject.subscribe(next: { tally.add($0) }) }
                        for number in 0..<count { subject.send(number) }
                    }
                },
                .floor("closure calls", floor),
                .instead("OpenCombine", fewer: 10) { count in
                    Tally.of { tally in
                        let subject = PassthroughSubject<Int, Never>()
                        let subscriptions = (0..<listeners).map { _ in subject.sink { tally.add($0) } }
                        for number in 0..<count { subject.send(number) }
                        for subscription in subscriptions { subscription.cancel() }
                    }
                },
            ]
        )
    }
}
