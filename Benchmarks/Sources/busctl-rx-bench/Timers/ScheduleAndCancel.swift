import Bus
import Dispatch
import Timers

extension Benchmark {
    /// Timers that are made and taken back before they are due, as timeouts are; a thousand at a time.
    static let timers = Benchmark(name: "timers") { settings, report in
        let scheduler = try TimerScheduler(on: ThreadScheduler(name: "timers"))
        let queue = DispatchQueue(label: "timers")
        let contest = Contest(
            name: "timer, scheduled and cancelled",
            events: 500_000,
            expected: { UInt64($0 / batch) },
            contenders: [
                .ours { count in
                    batches(in: count) { number in
                        scheduler.schedule(after: .milliseconds(5_000 + number)) {}
                    } cancel: { timer in
                        timer.cancel()
                    }
                },
                .instead("DispatchSourceTimer", fewer: 20) { count in
                    batches(in: count) { number in
                        let timer = DispatchSource.makeTimerSource(queue: queue)
                        timer.setEventHandler {}
                        timer.schedule(deadline: .now() + .milliseconds(5_000 + number))
                        timer.activate()
                        return timer
                    } cancel: { timer in
                        timer.cancel()
                    }
                },
                .instead("asyncAfter", fewer: 20) { count in
                    batches(in: count) { number in
                        let work = DispatchWorkItem {}
                        queue.asyncAfter(deadline: .now() + .milliseconds(5_000 + number), execute: work)
                        return work
                    } cancel: { work in
                        work.cancel()
                    }
                },
            ]
        )
        report.add(try contest.run(settings))
    }

    private static let batch = 1000

    /// Makes a batch of timers, cancels them in the order they were made, and so on; answers how many batches.
    @inline(__always)
    private static func batches<Timer>(
        in count: Int,
        make: (Int) -> Timer,
        cancel: (Timer) -> Void
    ) -> UInt64 {
        var timers: [Timer] = []
        timers.reserveCapacity(batch)
        var batches: UInt64 = 0
        for _ in 0..<count / batch {
            for number in 0..<batch { timers.append(make(number)) }
            for timer in timers { cancel(timer) }
            timers.removeAll(keepingCapacity: true)
            batches += 1
        }
        return batches
    }
}
