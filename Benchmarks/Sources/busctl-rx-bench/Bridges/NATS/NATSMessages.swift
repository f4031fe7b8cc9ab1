import Bus
import NATSBridge

extension Benchmark {
    /// Messages that are published and heard, each beside the same with bare libnats and the same server. It is processor time of
    /// this process, the server's and the sender's not included. Ours makes and frees the
    /// messages in it; a floor publishes one buffer again and again, and its callback reads a number out of each message.
    static let nats = Benchmark(name: "nats") { settings, report in
        let rig = try NATSRig(settings)
        defer { rig.connection.close() }
        try rig.measure(publishing(rig, .small), atMost: 6, &report)
        let sender = try PartProcess([NATSSenderProcess.argument, rig.server.url, "bench.heard"])
        try sender.waitForByte()
        try rig.measure(hearing(rig, .small), atMost: 2.2, &report)
        try rig.measure(hearing(rig, .middle), atMost: 3.5, &report)
        try rig.measure(hearing(rig, .large), atMost: 3, &report)
        withExtendedLifetime(sender) {}
    }

    private static func publishing(_ rig: NATSRig, _ kind: NATSKind) -> Contest {
        Contest(
            name: "NATS, published, \(kind.name)",
            events: 400_000,
            rounds: 2,
            expected: { UInt64($0) },
            contenders: [
                .ours { [connection = rig.connection] count in
                    let sent = NATSAwaited()
                    let subscription = Signals.from(0..<count).map { kind.message($0, to: "bench.published") }
                        .publish(over: connection)
                        .subscribe(next: { sent.count() }, failed: { sent.end("\($0)") }, completed: { sent.end() })
                    defer { subscription.dispose() }
                    try sent.wait()
                    try sent.flush(connection)
                    return sent.sum
                },
                .floor("libnats in C") { count in
                    try rig.bare.publish(count, kind, to: "bench.published")
                    return UInt64(count)
                },
            ]
        )
    }

    private static func hearing(_ rig: NATSRig, _ kind: NATSKind) -> Contest {
        func bare(_ count: Int, copies: Bool) throws -> UInt64 {
            try rig.bare.hear(count, of: .subject("bench.heard"), copies: copies) {
                try rig.bare.ask(for: count, kind, on: "bench.heard")
            }
        }
        return Contest(
            name: "NATS, heard, \(kind.name)",
            events: 100_000,
            rounds: 3,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    let heard = NATSAwaited()
                    // Room for all, as the floor has it, so that nothing is lost.
                    let subscription = rig.connection.messages(to: "bench.heard", limit: count, byteLimit: 1 << 30)
                        .add(count, to: heard, NATSKind.number)
                    defer { subscription.dispose() }
                    try heard.flush(rig.connection)
                    try rig.bare.ask(for: count, kind, on: "bench.heard")
                    try heard.wait()
                    return heard.sum
                },
                .floor("libnats in C") { try bare($0, copies: false) },
                .instead("libnats, copied") { try bare($0, copies: true) },
            ]
        )
    }
}
