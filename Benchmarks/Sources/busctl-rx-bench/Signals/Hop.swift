import Bus
import Dispatch
import DispatchBridge

extension Benchmark {
    /// Events heard on another thread than the one on which they are made first. A sequence without a scheduler that
    /// was told to pause resumes on the thread that hears it. A sequence on a scheduler stays there, so that both
    /// threads work in parallel.
    static let hop = Benchmark(name: "hop") { settings, report in
        let queue = DispatchQueue(label: "hop")
        let thread = ThreadScheduler(name: "hop")
        let sender = ThreadScheduler(name: "hop-sender")
        try measure("hop to a Dispatch queue", beside: queue, settings, &report) { count in
            Signals.from(0..<count).deliver(on: queue)
        }
        try measure("hop to a thread", beside: queue, settings, &report) { count in
            Signals.from(0..<count).deliver(on: thread)
        }
        try measure("hop from thread to thread", beside: queue, settings, &report) { count in
            Signals.from(0..<count, on: sender).deliver(on: thread)
        }
    }

    private static func measure(
        _ name: String,
        beside queue: DispatchQueue,
        _ settings: Settings,
        _ report: inout Report,
        _ hop: @escaping (_ count: Int) -> some Signal<Int, Never>
    ) throws {
        let contest = Contest(
            name: name,
            events: 2_000_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    Tally.of { tally in
                        let done = DispatchSemaphore(value: 0)
                        let subscription = hop(count).subscribe(next: { tally.add($0) }, completed: { done.signal() })
                        done.wait()
                        subscription.dispose()
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
        report.add(wall, bounds: [Bound(name: "\(name), wall", limit: .median(atMost: 60))])
        // Compared by processor time. On a busy machine the wall-clock time depends on which thread was given a core.
        report.add(
            cpu,
            bounds: [Bound(name: name, limit: .timesFaster(than: "DispatchQueue.async each", atLeast: 10))]
        )
    }
}
