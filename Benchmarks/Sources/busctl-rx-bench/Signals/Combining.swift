import AsyncAlgorithms
import Bus
import Dispatch
@preconcurrency import OpenCombine

extension Benchmark {
    /// Two signals combined into one.
    static let combining = Benchmark(name: "combining") { settings, report in
        report.add(
            try combineLatest().run(settings),
            bounds: [
                Bound(name: "combineLatest", limit: .aboveFloor(atMost: 10)),
                Bound(name: "combineLatest", limit: .timesFaster(than: "AsyncAlgorithms", atLeast: 3)),
            ]
        )
        report.add(
            try combineLatestOfAPack().run(settings),
            // A pack's values are stored through their types' tables. On slow processors that may take twice the floor.
            bounds: [Bound(name: "combineLatest of a pack", limit: .aboveFloor(atMost: 10, orShare: 2))]
        )
        report.add(
            try zip().run(settings),
            bounds: [
                Bound(name: "zip", limit: .aboveFloor(atMost: 10)),
                Bound(name: "zip", limit: .timesFaster(than: "OpenCombine", atLeast: 3)),
                Bound(name: "zip of sequences", limit: .timesFaster(than: "AsyncAlgorithms", atLeast: 3)),
            ]
        )
        report.add(
            try merge().run(settings),
            bounds: [
                Bound(name: "merge", limit: .aboveFloor(atMost: 10)),
                Bound(name: "merge", limit: .timesFaster(than: "AsyncAlgorithms", atLeast: 3)),
            ]
        )
    }

    private static func combineLatest() -> Contest {
        Contest(
            name: "combineLatest of two subjects",
            events: 1_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let (still, moving) = (Subject<Int, Never>(), Subject<Int, Never>())
                        _ = still.combineLatest(moving).subscribe(next: { tally.add($0.1) })
                        still.send(0)
                        for number in 0..<count { moving.send(number) }
                    }
                },
                .floor("two turns and a closure call", Turns.two()),
                .instead("AsyncAlgorithms", fewer: 100) { count in
                    // While both inputs are fast it may combine any values, but it always combines the last.
                    let last = waitFor { () -> Int in
                        var last = -1
                        for await pair in AsyncAlgorithms.combineLatest([0].async, (0..<count).async) { last = pair.1 }
                        return last
                    }
                    return last == count - 1 ? Tally.ofNumbers(below: count) : 0
                },
            ]
        )
    }

    private static func combineLatestOfAPack() -> Contest {
        Contest(
            name: "combineLatest of a pack of three subjects",
            events: 1_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let (a, b, c) = (Subject<Int, Never>(), Subject<Bool, Never>(), Subject<Int, Never>())
                        _ = Signals.combineLatest(a, b, c).subscribe(next: { tally.add($0.2) })
                        a.send(0)
                        b.send(true)
                        for number in 0..<count { c.send(number) }
                    }
                },
                .floor("two turns and a closure call", Turns.two()),
            ]
        )
    }

    private static func zip() -> Contest {
        Contest(
            name: "zip of two subjects",
            events: 1_000_000,
            // Two values make a pair.
            expected: { Tally.ofNumbers(below: $0 / 2) },
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let (a, b) = (Subject<Int, Never>(), Subject<Int, Never>())
                        _ = a.zip(b).subscribe(next: { tally.add($0.1) })
                        for number in 0..<count / 2 {
                            a.send(number)
                            b.send(number)
                        }
                    }
                },
                .floor("two turns, and into a queue and out of it", Turns.twoOfRounds(of: 2)),
                .instead("OpenCombine", fewer: 4) { count in
                    Tally.of { tally in
                        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
                        let chain = a.zip(b).sink { tally.add($0.1) }
                        for number in 0..<count / 2 {
                            a.send(number)
                            b.send(number)
                        }
                        chain.cancel()
                    }
                },
                .instead("AsyncAlgorithms", fewer: 100) { count in
                    waitFor {
                        var sum: UInt64 = 0
                        for await pair in AsyncAlgorithms.zip((0..<count / 2).async, (0..<count / 2).async) {
                            sum &+= UInt64(pair.1)
                        }
                        return sum
                    }
                },
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
                        _ = Signals.from(0..<count / 2).merge(Signals.from(count / 2..<count))
                            .subscribe(next: { tally.add($0) })
                    }
                },
                .floor("a turn and a closure call", Turns.one),
                .instead("AsyncAlgorithms", fewer: 200) { count in
                    waitFor {
                        var sum: UInt64 = 0
                        for await number in AsyncAlgorithms.merge((0..<count / 2).async, (count / 2..<count).async) {
                            sum &+= UInt64(number)
                        }
                        return sum
                    }
                },
            ]
        )
    }

    /// Waits for a task and returns its result.
    private static func waitFor<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = ResultBox<Result>()
        Task.detached {
            result.value = await body()
            done.signal()
        }
        done.wait()
        guard let value = result.value else { preconditionFailure("the task left no result") }
        return value
    }
}

/// Passes one result from a task to the thread that waits for it.
private final class ResultBox<Value: Sendable>: @unchecked Sendable {
    // Written before the semaphore is signalled, read after the wait for it.
    var value: Value?
}
