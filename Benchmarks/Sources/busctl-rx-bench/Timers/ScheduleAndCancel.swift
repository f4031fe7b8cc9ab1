import Bus
import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import Timers

extension Benchmark {
    /// Timers that are created and cancelled before they are due, like timeouts. There are a thousand at a time, from
    /// one thread and from two at once.
    static let timers = Benchmark(name: "timers") { settings, report in
        for threads in 1...2 {
            let standing = try cancelled(threads: threads).runOnBothClocks(settings)
            let name = standing.cpu.name
            // With other load, two threads sometimes get only one processor, so their processor time counts.
            var bounds = [Bound(name: name, limit: .timesFaster(than: "NIO scheduleTask", atLeast: 10))]
            if threads == 1 {
                bounds.append(Bound(name: name, limit: .timesFaster(than: "DispatchSourceTimer", atLeast: 15)))
            } else {
                // Dispatch's time for two threads varies by a factor of two between runs. Ours must not delay each
                // other.
                bounds.append(Bound(name: name, limit: .timesFaster(than: "DispatchSourceTimer", atLeast: 10)))
                bounds.append(Bound(name: name, limit: .timesFloor(atMost: 1.25)))
            }
            report.add(standing.cpu, bounds: bounds)
            report.add(standing.wall)
        }
    }

    private static func cancelled(threads: Int) throws -> Contest {
        let scheduler = try TimerScheduler(on: ThreadScheduler(name: "timers"))
        let queue = DispatchQueue(label: "timers")
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return Contest(
            name: "timer, scheduled and cancelled, \(threads == 1 ? "one thread" : "\(threads) threads")",
            events: 500_000 * threads,
            expected: { UInt64($0 / threads / batch * threads) },
            contenders: [
                .ours { count in onThreads(threads) { timers(count / threads, on: scheduler) } },
                .instead("DispatchSourceTimer", fewer: 20) { count in
                    onThreads(threads) {
                        batches(in: count / threads) { number -> any DispatchSourceTimer in
                            let timer = DispatchSource.makeTimerSource(queue: queue)
                            timer.setEventHandler {}
                            timer.schedule(deadline: .now() + .milliseconds(5_000 + number))
                            timer.activate()
                            return timer
                        } cancel: { timer in
                            timer.cancel()
                        }
                    }
                },
                .instead("asyncAfter", fewer: 20) { count in
                    onThreads(threads) {
                        batches(in: count / threads) { number -> DispatchWorkItem in
                            let work = DispatchWorkItem {}
                            queue.asyncAfter(deadline: .now() + .milliseconds(5_000 + number), execute: work)
                            return work
                        } cancel: { work in
                            work.cancel()
                        }
                    }
                },
                .instead("NIO scheduleTask", fewer: 20) { count in
                    let done = onThreads(threads) {
                        batches(in: count / threads) { number in
                            loop.scheduleTask(in: .milliseconds(5_000 + Int64(number))) {}
                        } cancel: { task in
                            task.cancel()
                        }
                    }
                    // Its loop cancels asynchronously.
                    try loop.submit {}.wait()
                    return done
                },
            ] + (threads == 1 ? [] : [.floor("one thread") { count in timers(count, on: scheduler) }])
        )
    }

    private static func timers(_ count: Int, on scheduler: TimerScheduler) -> UInt64 {
        batches(in: count) { number in
            scheduler.schedule(after: .milliseconds(5_000 + number)) {}
        } cancel: { timer in
            timer.cancel()
        }
    }

    private static let batch = 1000

    /// Runs the body on this many threads at once. Returns the sum of their results.
    private static func onThreads(_ count: Int, _ body: @Sendable () -> UInt64) -> UInt64 {
        guard count > 1 else { return body() }
        let sum = Atomic<UInt64>(0)
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            sum.add(body(), ordering: .relaxed)
        }
        return sum.load(ordering: .relaxed)
    }

    /// Creates a batch of timers, cancels them in the order of their creation, and repeats. Returns the number of
    /// batches.
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
