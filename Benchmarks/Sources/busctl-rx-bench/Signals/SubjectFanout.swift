import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Sending by hand to one subscriber or many.
    static let subject = Benchmark(name: "subject") { settings, report in
        for listeners in [1, 10, 1_000, 10_000] {
            let subject = Subject(of: Int.self)
            let peer = PassthroughSubject<Int, Never>()
            let contest = Contest.fanout(
                "subject",
                listeners: listeners,
                ours: .ours(subject, listeners: listeners, send: { subject.send($0) }),
                floor: .floor(listeners: listeners),
                instead: [
                    ("OpenCombine", 20, .openCombine(peer, listeners: listeners, send: { peer.send($0) }))
                ]
            )
            try addFanout(contest, listeners, to: &report, settings)
        }
        try report.add(joining(1_000).run(settings).perSubscriber(1_000))
        try report.add(joining(10_000).run(settings).perSubscriber(10_000))
    }

    /// Judges a fan-out: always at most 10 ns above the floor, or half of it, and three times as fast as the others.
    ///
    /// With one subscriber, nearly all of the time is spent in the locked instructions of the turns. They wait for the
    /// writes before them, of which the floor has almost none. On a processor on which that takes long, up to 2.5 times
    /// the floor may be added.
    static func addFanout(
        _ contest: Contest,
        _ listeners: Int,
        to report: inout Report,
        _ settings: Settings
    ) throws {
        let standing = try contest.run(settings).perSubscriber(listeners)
        report.add(
            standing,
            bounds: [Bound(name: contest.name, limit: .aboveFloor(atMost: 10, orShare: listeners == 1 ? 2.5 : 0.5))]
                + standing.instead.map {
                    Bound(name: contest.name, limit: .timesFaster(than: $0.name, atLeast: 3))
                }
        )
    }

    /// The given number of subscribers subscribe, hear one event, and leave.
    private static func joining(_ listeners: Int) -> Contest {
        Contest(
            name: "\(listeners.grouped) join and leave",
            events: max(8, 400_000 / listeners),
            expected: { Tally.ofNumbers(below: $0) &* UInt64(listeners) },
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let subject = Subject(of: Int.self)
                        for number in 0..<count {
                            let handles = (0..<listeners).map { _ in subject.subscribe(next: { tally.add($0) }) }
                            subject.send(number)
                            for handle in handles { handle.dispose() }
                        }
                    }
                },
                .instead("OpenCombine", fewer: 8) { count in
                    Tally.of { tally in
                        let subject = PassthroughSubject<Int, Never>()
                        for number in 0..<count {
                            let handles = (0..<listeners).map { _ in subject.sink { tally.add($0) } }
                            subject.send(number)
                            for handle in handles { handle.cancel() }
                        }
                    }
                },
            ]
        )
    }
}
