import Bus
import Forwarding
import NATSBridge
import RecordSources

extension Benchmark {
    /// Entries that a forwarder has a stream of JetStream store, each with its cursor as an id, beside `js_PublishMsgAsync`.
    static let natsForwarded = Benchmark(name: "nats-forwarded") { settings, report in
        let rig = try NATSRig(settings)
        defer { rig.connection.close() }
        try rig.bare.makeStream("FORWARDED", of: "bench.forwarded", keeping: 10_000)
        try rig.measure(forwarding(rig, .middle), atMost: 3, &report)
    }

    private static func forwarding(_ rig: NATSRig, _ kind: NATSKind) throws -> Contest {
        let sink = try JetStreamSink(rig.server.url, subject: "bench.forwarded")
        let payload = [UInt8](repeating: UInt8(ascii: "x"), count: kind.size)
        return Contest(
            name: "NATS, forwarded, \(kind.name)",
            events: 20_000,
            rounds: 3,
            expected: { UInt64($0) },
            contenders: [
                .ours { count in
                    // The stream knows the ids of earlier rounds.
                    let round = Int.random(in: 0..<Int.max)
                    let forwarder = Forwarder(to: sink, on: ThreadScheduler(name: "forwarding")) { _ in
                        Signals.from(0..<count).map { ForwardItem.entry(cursor: cursor($0, round), payload: payload) }
                            .promoteFailure(to: ForwardError.self)
                            .eraseToAnySignal()
                    }
                    let stored = NATSAwaited()
                    let subscription = forwarder.forwarded(from: ForwardPlace(), keep: PlaceKeeper(nil)) { _ in }
                        .subscribe(
                            next: { news in if news == .stored(isDuplicate: false) { stored.count() } },
                            failed: { stored.end("\($0)") },
                            completed: { stored.end() },
                            lost: { stored.end("\($0) receipts were lost") }
                        )
                    defer { subscription.dispose() }
                    try stored.wait()
                    return stored.sum
                },
                .floor("libnats in C") { count in
                    try rig.bare.store(count, kind, to: "bench.forwarded", pending: Forwarder.maxPending)
                    return UInt64(count)
                },
            ]
        )
    }

    /// As long as a journal's.
    private static func cursor(_ number: Int, _ round: Int) -> String {
        let name = "s=14a075c2e50a4260bd28518e6a869587;i=\(number);b=f446871715504074bf7049ef0718fa93"
        return name + ";m=3081ac8f80;t=60a5499bb8d40;x=\(round)"
    }
}
