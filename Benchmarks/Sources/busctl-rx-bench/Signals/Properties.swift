import Bus
@preconcurrency import OpenCombine

extension Benchmark {
    /// Setting a property that has one follower or many.
    static let properties = Benchmark(name: "properties") { settings, report in
        for listeners in [1, 10, 1_000, 10_000] {
            let property = MutableProperty(0)
            let peer = OpenCombine.CurrentValueSubject<Int, Never>(0)
            let contest = Contest.fanout(
                "property",
                listeners: listeners,
                ours: .ours(property.values, listeners: listeners, send: { property.value = $0 }),
                floor: .floor(listeners: listeners, locks: true),
                instead: [
                    ("OpenCombine", 20, .openCombine(peer, listeners: listeners, send: { peer.value = $0 }))
                ]
            )
            try addFanout(contest, listeners, to: &report, settings)
        }
    }
}
