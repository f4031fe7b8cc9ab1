import AsyncAlgorithms
import Bus
import Dispatch
@preconcurrency import OpenCombine

extension Benchmark {
    /// One source shared by one subscriber or many, and a subject that replays.
    static let sharing = Benchmark(name: "sharing") { settings, report in
        for listeners in [1, 10, 1_000, 10_000] {
            let source = Subject(of: Int.self)
            let peer = PassthroughSubject<Int, Never>()
            let contest = Contest.fanout(
                "share",
                listeners: listeners,
                ours: .ours(source.share(), listeners: listeners, send: { source.send($0) }),
                // Two turns, because there are two places where several may send: the source, and the shared signal.
                floor: .floor(listeners: listeners, turns: 2),
                instead: [
                    ("OpenCombine", 20, .openCombine(peer.share(), listeners: listeners, send: { peer.send($0) }))
                ] + (listeners <= 1_000 ? [("AsyncAlgorithms", 100, .asyncShare(listeners: listeners))] : [])
            )
            try addFanout(contest, listeners, to: &report, settings)
        }
        for listeners in [1, 10, 1_000, 10_000] {
            let subject = ReplaySubject(of: Int.self, capacity: 16)
            let contest = Contest.fanout(
                "replay subject",
                listeners: listeners,
                ours: .ours(subject, listeners: listeners, send: { subject.send($0) }),
                floor: .floor(listeners: listeners)
            )
            try addFanout(contest, listeners, to: &report, settings)
        }
        // Neither competitor has a subject that replays more than one value.
        for listeners in [1, 10, 1_000, 10_000] {
            let subject = ReplaySubject(of: Int.self, capacity: 1)
            let peer = OpenCombine.CurrentValueSubject<Int, Never>(0)
            let contest = Contest.fanout(
                "replay subject of one",
                listeners: listeners,
                ours: .ours(subject, listeners: listeners, send: { subject.send($0) }),
                floor: .floor(listeners: listeners, locks: true),
                instead: [
                    ("OpenCombine", 20, .openCombine(peer, listeners: listeners, send: { peer.send($0) }))
                ]
            )
            try addFanout(contest, listeners, to: &report, settings)
        }
    }
}

extension FanoutRig {
    /// The given number of tasks share a stream. It is created for each run, and values are sent when all tasks listen,
    /// because a late one misses earlier values.
    static func asyncShare(listeners: Int) -> FanoutRig {
        let sum = Sum()
        return FanoutRig(
            runWhole: { count in
                let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                let shared = stream.share(bufferingPolicy: .bounded(16))
                Task.detached {
                    await withTaskGroup(of: UInt64.self) { group in
                        for _ in 0..<listeners {
                            group.addTask {
                                var iterator = shared.makeAsyncIterator()
                                ready.signal()
                                var heard: UInt64 = 0
                                while let number = await iterator.next(isolation: nil) { heard &+= UInt64(number) }
                                return heard
                            }
                        }
                        for await heard in group { sum.add(Int(truncatingIfNeeded: heard)) }
                    }
                    done.signal()
                }
                for _ in 0..<listeners { ready.wait() }
                for number in 0..<count { continuation.yield(number) }
                continuation.finish()
                done.wait()
            },
            total: { sum.value }
        )
    }
}
