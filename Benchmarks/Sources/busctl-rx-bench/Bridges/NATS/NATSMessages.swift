import Bus
import Foundation
import NATSBridge

extension Benchmark {
    /// Messages that are published, stored by a stream, and heard, each beside the same with bare libnats and the same server. It is
    /// processor time of this process, the server's not included. What the
    /// messages are made of is allocated and freed in it: a floor publishes one buffer again and again.
    static let nats = Benchmark(name: "nats") { settings, report in
        try FileManager.default.createDirectory(atPath: settings.cache, withIntermediateDirectories: true)
        let server = try NATSServer(settings)
        let (bare, connection) = (try BareNATS(server), NATSConnection(NATSOptions(server.url)))
        defer { connection.close() }
        try bare.makeStream("BENCH", of: "bench.stored", keeping: 10_000)
        try measure(publishing(connection, bare), atMost: 5, settings, &report)
        try measure(storing(connection, bare), atMost: 3, settings, &report)
        let sender = try PartProcess([NATSSenderProcess.argument, server.url, "bench.heard", "\(size)"])
        try sender.waitForByte()
        try measure(hearing(connection, bare), atMost: 2.2, settings, &report)
        withExtendedLifetime(sender) {}
    }

    private static let size = 128
    /// How many messages may be without an acknowledgement.
    private static let pending = 512

    private static func measure(
        _ contest: Contest,
        atMost times: Double,
        _ settings: Settings,
        _ report: inout Report
    ) throws {
        let (wall, processor) = try contest.runOnBothClocks(settings)
        report.add(wall)
        report.add(processor, bounds: [Bound(name: contest.name, limit: .timesFloor(atMost: times))])
    }

    private static func message(_ number: Int, to subject: String) -> NATSMessage {
        var payload = [UInt8](repeating: 0, count: size)
        payload.withUnsafeMutableBytes { $0.storeBytes(of: number, as: Int.self) }
        return NATSMessage(subject: subject, payload: payload)
    }

    private static func publishing(_ connection: NATSConnection, _ bare: BareNATS) -> Contest {
        Contest(
            name: "NATS, published",
            events: 800_000,
            expected: { UInt64($0) },
            contenders: [
                .ours { count in
                    let sent = Awaited()
                    let subscription = Signals.from(0..<count).map { message($0, to: "bench.published") }
                        .publish(on: connection)
                        .subscribe(next: { sent.count() }, failed: { sent.end("\($0)") }, completed: { sent.end() })
                    defer { subscription.dispose() }
                    try sent.wait()
                    try sent.flush(connection)
                    return sent.sum
                },
                .floor("libnats in C") { count in
                    try bare.publish(count, of: size, to: "bench.published")
                    return UInt64(count)
                },
            ]
        )
    }

    private static func storing(_ connection: NATSConnection, _ bare: BareNATS) -> Contest {
        Contest(
            name: "NATS, stored by a stream",
            events: 80_000,
            expected: { UInt64($0) },
            contenders: [
                .ours { count in
                    let stored = Awaited()
                    let subscription = Signals.from(0..<count).map { message($0, to: "bench.stored") }
                        .publishAcknowledged(on: connection, maxPending: pending)
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
                    try bare.store(count, of: size, to: "bench.stored", pending: pending)
                    return UInt64(count)
                },
            ]
        )
    }

    private static func hearing(_ connection: NATSConnection, _ bare: BareNATS) -> Contest {
        Contest(
            name: "NATS, heard",
            events: 400_000,
            expected: Tally.ofNumbers,
            contenders: [
                .ours { count in
                    let heard = Awaited()
                    // Room for all, as the floor has it, so that nothing is lost.
                    let subscription = connection.signals(on: "bench.heard", limit: count, byteLimit: 1 << 30)
                        .subscribe(
                            next: { message in
                                let number = message.payload.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
                                if heard.add(number) == count { heard.end() }
                            },
                            failed: { heard.end("\($0)") },
                            completed: { heard.end("the signal has ended") },
                            lost: { heard.end("\($0) messages were lost") }
                        )
                    defer { subscription.dispose() }
                    try heard.flush(connection)
                    try bare.ask(for: count, on: "bench.heard")
                    try heard.wait()
                    return heard.sum
                },
                .floor("libnats in C") { count in
                    try bare.hear(count, on: "bench.heard") { try bare.ask(for: count, on: "bench.heard") }
                },
            ]
        )
    }
}

/// Counts and sums up what comes, and waits for the end.
private final class Awaited: @unchecked Sendable {
    // Touched by the one thread that hears, and by the waiting one after the end.
    private let numbers = UnsafeMutablePointer<(sum: UInt64, count: Int)>.allocate(capacity: 1)
    private var problem: String?
    private let over = DispatchSemaphore(value: 0)

    init() { numbers.initialize(to: (0, 0)) }

    // Small, and not freed, for the signal may say something more.
    var sum: UInt64 { numbers.pointee.sum }

    func count() { numbers.pointee.sum &+= 1 }

    /// - Returns: how many have come.
    func add(_ number: Int) -> Int {
        numbers.pointee.sum &+= UInt64(truncatingIfNeeded: number)
        numbers.pointee.count += 1
        return numbers.pointee.count
    }

    func end(_ problem: String? = nil) {
        self.problem = problem
        over.signal()
    }

    func wait() throws {
        guard over.wait(timeout: .now() + 60) == .success else { throw Complaint("NATS: no end within a minute") }
        if let problem { throw Complaint("NATS: \(problem)") }
    }

    func flush(_ connection: NATSConnection) throws {
        let flushed = DispatchSemaphore(value: 0)
        let found = Failure()
        Task.detached {
            do {
                try await connection.flush(timeout: .seconds(30))
            } catch {
                found.text = "\(error)"
            }
            flushed.signal()
        }
        flushed.wait()
        if let text = found.text { throw Complaint("NATS: \(text)") }
    }
}

/// What a task failed with. It is read after the task has signalled its end.
private final class Failure: @unchecked Sendable {
    var text: String?
}
