import Bus
import Dispatch
import DispatchBridge

extension Benchmark {
    /// Events made on one thread and heard on another. All run on a plain thread: on Swift's cooperative pool, waiting
    /// for room is refused.
    static let hop = Benchmark(name: "hop") { settings, report in
        let queue = DispatchQueue(label: "hop")
        try measure("hop to a Dispatch queue", onto: queue, beside: queue, settings, &report)
        try measure("hop to a thread", onto: ThreadScheduler(name: "hop"), beside: queue, settings, &report)
    }

    private static func measure(
        _ name: String,
        onto scheduler: some Scheduler,
        beside queue: DispatchQueue,
        _ settings: Settings,
        _ report: inout Report
    ) throws {
        let contest = Contest(
            name: name,
            events: 2_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let done = DispatchSemaphore(value: 0)
                        Signals.from(0..<count)
                            .deliver(on: scheduler)
                            .subscribe(next: { tally.add($0) }, completed: { done.signal() })
                        done.wait()
                    }
                },
                .instead("DispatchQueue.async each", fewer: 20) { count in
                    Tally.of { tally in
                        for number in 0..<count { queue.async { tally.add(number) } }
                        queue.sync {}
                    }
                },
                .instead("AsyncStream", fewer: 20) { count in
                    Tally.of { tally in
                        let done = DispatchSemaphore(value: 0)
                        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                        Task.detached {
                            for await number in stream { tally.add(number) }
                            done.signal()
                        }
                        for number in 0..<count { continuation.yield(number) }
                        continuation.finish()
                        done.wait()
                    }
                },
            ]
        )
        let (wall, cpu) = try contest.runOnBothClocks(settings)
        report.add(wall)
        // Judged by processor time: on a busy machine the wall's clock tells who was given a core.
        report.add(
            cpu,
            bounds: [Bound(name: name, limit: .timesFaster(than: "DispatchQueue.async each", atLeast: 10))]
        )
    }
}
