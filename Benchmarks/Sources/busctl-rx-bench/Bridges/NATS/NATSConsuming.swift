import Bus
import NATSBridge
import Synchronization

extension Benchmark {
    /// Messages of a stream of JetStream that are consumed and read, beside callbacks of `js_Subscribe` with the same policy of
    /// acknowledgement and the same window.
    static let natsConsumed = Benchmark(name: "nats-consumed") { settings, report in
        let rig = try NATSRig(settings)
        defer { rig.connection.close() }
        try rig.bare.makeStream("KEPT", of: "bench.kept", keeping: kept)
        try rig.bare.store(kept, .middle, to: "bench.kept", pending: window)
        try rig.measure(consuming(rig), atMost: 4, wall: 1.3, &report)
        try rig.measure(reading(rig), atMost: 4.5, wall: 1.3, &report)
    }

    /// How many messages may be without an acknowledgement.
    private static let window = 256
    /// How many messages are consumed.
    private static let kept = 20_000
    private static let consumers = Atomic<Int>(0)

    /// A consumer of its own for each round.
    private static func name(_ side: String) -> String {
        "\(side)\(consumers.add(1, ordering: .relaxed).newValue)"
    }

    private static func consuming(_ rig: NATSRig) -> Contest {
        func bare(_ count: Int, copies: Bool) throws -> UInt64 {
            let source = BareNATS.Source.stream("KEPT", subject: "bench.kept", consumer: name("bare"), window: window)
            return try rig.bare.hear(count, of: source, copies: copies)
        }
        return Contest(
            name: "NATS, consumed, \(NATSKind.middle.name)",
            events: kept,
            rounds: 2,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    let heard = NATSAwaited()
                    var consumer = NATSConsumer(stream: "KEPT", name: name("ours"))
                    consumer.maxUnacknowledged = window
                    let subscription = rig.connection
                        .consume(consumer, failed: { heard.end("\($1)") }, { _ in })
                        .add(count, to: heard) { NATSKind.number($0.message) }
                    defer { subscription.dispose() }
                    try heard.wait()
                    return heard.sum
                },
                .floor("libnats in C") { try bare($0, copies: false) },
                .instead("libnats, copied") { try bare($0, copies: true) },
            ]
        )
    }

    private static func reading(_ rig: NATSRig) -> Contest {
        func bare(_ count: Int, copies: Bool) throws -> UInt64 {
            try rig.bare.hear(
                count,
                of: .stream("KEPT", subject: "bench.kept", consumer: nil, window: window),
                copies: copies
            )
        }
        return Contest(
            name: "NATS, read, \(NATSKind.middle.name)",
            events: kept,
            rounds: 3,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    let heard = NATSAwaited()
                    let subscription = rig.connection.messages(ofStream: "KEPT").add(count, to: heard) { item in
                        guard case .message(let delivery) = item else { return nil }
                        return NATSKind.number(delivery.message)
                    }
                    defer { subscription.dispose() }
                    try heard.wait()
                    return heard.sum
                },
                .floor("libnats in C") { try bare($0, copies: false) },
                .instead("libnats, copied") { try bare($0, copies: true) },
            ]
        )
    }
}
