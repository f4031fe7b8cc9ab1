import Bus
import NATSBridge

extension Benchmark {
    /// Messages that a stream of JetStream stores, beside `js_PublishAsync` with the same window.
    static let natsStored = Benchmark(name: "nats-stored") { settings, report in
        let rig = try NATSRig(settings)
        defer { rig.connection.close() }
        try rig.bare.makeStream("STORED", of: "bench.stored", keeping: 10_000)
        try rig.measure(storing(rig, .small), atMost: 2, wall: 1.3, &report)
        try rig.measure(storing(rig, .middle), atMost: 2, wall: 1.3, &report)
        try rig.measure(storing(rig, .large), atMost: 2, wall: 1.3, &report)
    }

    /// How many messages may be without an acknowledgement.
    private static let pending = 512

    private static func storing(_ rig: NATSRig, _ kind: NATSKind) -> Contest {
        Contest(
            name: "NATS, stored, \(kind.name)",
            events: 20_000,
            rounds: 3,
            expected: { UInt64($0) },
            contenders: [
                .ours { count in
                    let stored = NATSAwaited()
                    let subscription = Signals.from(0..<count).map { kind.message($0, to: "bench.stored") }
                        .publishAcknowledged(over: rig.connection, maxPending: pending)
                        .subscribe(
                            next: { _ in stored.count() },
                            failed: { stored.end("\($0)") },
                            completed: { stored.end() },
                            lost: { stored.end("\($0) acknowledgements were lost") }
                        )
                    defer { subscription.dispose() }
                    try stored.wait()
                    return stored.sum
                },
                .floor("libnats in C") { count in
                    try rig.bare.store(count, kind, to: "bench.stored", pending: pending)
                    return UInt64(count)
                },
            ]
        )
    }
}
