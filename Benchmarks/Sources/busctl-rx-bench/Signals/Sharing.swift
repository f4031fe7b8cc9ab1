import AsyncAlgorithms
import Bus
import Dispatch
@preconcurrency import OpenCombine

extension Benchmark {
    /// One source shared by one and by many, and a subject that replays.
    static let sharing = Benchmark(name: "sharing") { settings, report in
        for listeners in [1, 10, 1_000, 10_000] {
            let source = Subject(of: Int.self)
            let peer = PassthroughSubject<Int, Never>()
            let contest = Contest.fanout(
                "share",
                listeners: listeners,
                ours: .ours(source.share(), listeners: listeners, send: { source.send($0) }),
                // Two turns, for there are two places where several may send: the source, and what is shared.
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
    }
}

extension FanoutRig {
    /// So many tasks that share a sequence. It is made for each run: a sequence that is shared begins with its first listener.
    static func asyncShare(listeners: Int) -> FanoutRig {
        let sum = Sum()
        return FanoutRig(
            runWhole: { count in
                let done = DispatchSemaphore(value: 0)
                let shared = (0..<count).async.share(bufferingPolicy: .bounded(16))
                Task.detached {
                    await withTaskGroup(of: UInt64.self) { group in
                        for _ in 0..<listeners {
                            group.addTask {
                                var heard: UInt64 = 0
                                for await number in shared { heard &+= UInt64(number) }
                                return heard
                            }
                        }
                        for await heard in group { sum.add(Int(truncatingIfNeeded: heard)) }
                    }
                    done.signal()
                }
                done.wait()
            },
            total: { sum.value }
        )
    }
}
