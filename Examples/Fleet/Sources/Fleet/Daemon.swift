public import Bus
import Foundation
public import LinkBridge
import OSSignalBridge

/// What the three daemons have in common: a bus, its link, and the end by a signal.
public enum Daemon {
    /// Runs until SIGINT or SIGTERM.
    ///
    /// - Parameters:
    ///   - topics: what is carried.
    ///   - work: uses the bus; what it returns is disposed of at the end.
    public static func run(_ topics: [SharedTopic], _ work: @Sendable (NotificationBus, BusLink) -> any Disposable)
        async
    {
        do {
            // First of all, so that no other thread takes them.
            let signals = try OSSignalSet([SIGINT, SIGTERM])
            try signals.block()
            let bus = NotificationBus()
            let text = ProcessInfo.processInfo.environment["FLEET_BUS"] ?? "nats://127.0.0.1:4222/fleet"
            let link = bus.link(topics, over: try BusAddress(text))
            let news = link.news.subscribe(next: { complain("\($0)") })
            let subscription = work(bus, link)
            _ = try await Signals.osSignals(signals).firstValue()
            subscription.dispose()
            news.dispose()
            link.dispose()
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    /// Writes a line to the standard output.
    public static func say(_ text: String) { write(text, to: .standardOutput) }

    private static func complain(_ text: String) {
        let name = CommandLine.arguments.first?.split(separator: "/").last ?? "daemon"
        write("\(name): \(text)", to: .standardError)
    }

    private static func write(_ text: String, to file: FileHandle) {
        do {
            try file.write(contentsOf: Data("\(text)\n".utf8))
        } catch {
            // Nobody reads it any more.
            exit(1)
        }
    }
}
