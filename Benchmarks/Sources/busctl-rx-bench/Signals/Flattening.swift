import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Sources and operators that keep state for a subscription.
    static let flattening = Benchmark(name: "flattening") { settings, report in
        report.add(try create().run(settings))
        report.add(
            try flatMap(.merge, "flatMap to just").run(settings),
            bounds: [Bound(name: "flatMap", limit: .timesFaster(than: "OpenCombine", atLeast: 3))]
        )
        report.add(
            try flatMap(.concat, "flatMap(.concat) to just").run(settings),
            bounds: [Bound(name: "flatMap(.concat)", limit: .timesFaster(than: "OpenCombine", atLeast: 3))]
        )
        report.add(
            try switchToLatest().run(settings),
            bounds: [Bound(name: "switchToLatest", limit: .timesFaster(than: "OpenCombine", atLeast: 3))]
        )
        report.add(
            try switchBetweenSubjects(values: 100).run(settings),
            bounds: [Bound(name: "switching", limit: .timesFaster(than: "OpenCombine", atLeast: 3))]
        )
        report.add(
            try switchBetweenSubjects(values: 10_000).run(settings),
            bounds: [
                Bound(name: "switchToLatest's values", limit: .aboveFloor(atMost: 10)),
                Bound(name: "switchToLatest's values", limit: .timesFaster(than: "OpenCombine", atLeast: 3)),
            ]
        )
        report.add(
            try flatMapOfSubjects().run(settings),
            bounds: [
                Bound(name: "flatMap's values", limit: .aboveFloor(atMost: 10)),
                Bound(name: "flatMap's values", limit: .timesFaster(than: "OpenCombine", atLeast: 3)),
            ]
        )
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
                        _ = Signals.create(of: Int.self) { emitter in
                            for number in 0..<count { emitter.send(number) }
                            emitter.complete()
                            return nil
                        }
                        .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
            ]
        )
    }

    private static func flatMap(_ strategy: FlattenStrategy, _ name: String) -> Contest {
        let atOnce = strategy == .merge ? Subscribers.Demand.unlimited : .max(1)
        return Contest(
            name: name,
            events: 500_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .flatMap(strategy) { Signals.just($0) }
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
                .instead("OpenCombine", fewer: 4) { count in
                    Tally.of { tally in
                        let chain = (0..<count).publisher
                            .flatMap(maxPublishers: atOnce) { Just($0) }
                            .sink { tally.add($0) }
                        chain.cancel()
                    }
                },
            ]
        )
    }

    private static func switchToLatest() -> Contest {
        Contest(
            name: "switchToLatest of justs",
            events: 500_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        _ = Signals.from(0..<count)
                            .map { Signals.just($0) }
                            .switchToLatest()
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
                .instead("OpenCombine", fewer: 4) { count in
                    Tally.of { tally in
                        let chain = (0..<count).publisher
                            .map { Just($0) }
                            .switchToLatest()
                            .sink { tally.add($0) }
                        chain.cancel()
                    }
                },
            ]
        )
    }

    /// The given number of values of each subject before the next one replaces it.
    private static func switchBetweenSubjects(values: Int) -> Contest {
        Contest(
            name: "switchToLatest of subjects, \(values.grouped) values each",
            events: 1_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let outer = Bus.Subject<Bus.Subject<Int, Never>, Never>()
                        let inners = [Subject<Int, Never>(), Subject<Int, Never>()]
                        _ = outer.switchToLatest().subscribe(next: { tally.add($0) })
                        for number in 0..<count {
                            let inner = inners[number / values % 2]
                            if number % values == 0 { outer.send(inner) }
                            inner.send(number)
                        }
                    }
                },
                .floor("two turns and a closure call", Turns.two(of: 2, run: values)),
                .instead("OpenCombine", fewer: 4) { count in
                    Tally.of { tally in
                        let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
                        let inners = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
                        let chain = outer.switchToLatest().sink { tally.add($0) }
                        for number in 0..<count {
                            let inner = inners[number / values % 2]
                            if number % values == 0 { outer.send(inner) }
                            inner.send(number)
                        }
                        chain.cancel()
                    }
                },
            ]
        )
    }

    /// Ten subjects that are subscribed to once. This measures the cost of a value, not of a subscription.
    private static func flatMapOfSubjects() -> Contest {
        Contest(
            name: "flatMap to 10 subjects",
            events: 1_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let outer = Bus.Subject<Int, Never>()
                        let inners = (0..<10).map { _ in Bus.Subject<Int, Never>() }
                        _ = outer.flatMap { inners[$0] }.subscribe(next: { tally.add($0) })
                        for index in inners.indices { outer.send(index) }
                        for number in 0..<count { inners[number % 10].send(number) }
                    }
                },
                .floor("two turns and a closure call", Turns.two(of: 10)),
                .instead("OpenCombine", fewer: 4) { count in
                    Tally.of { tally in
                        let outer = PassthroughSubject<Int, Never>()
                        let inners = (0..<10).map { _ in PassthroughSubject<Int, Never>() }
                        let chain = outer.flatMap { inners[$0] }.sink { tally.add($0) }
                        for index in inners.indices { outer.send(index) }
                        for number in 0..<count { inners[number % 10].send(number) }
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
                        _ = Signals.concat((0..<count).lazy.map { Signals.just($0) })
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("closure call", ClosureCalls.one),
            ]
        )
    }
}
