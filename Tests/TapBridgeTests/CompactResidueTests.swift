import Bus
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TapBridge

private struct Small: Codable, Sendable { var service: String }
private struct Other: Codable, Sendable { var exitStatus: Int }

/// A watch that stays open while the names of topics, scopes and types change.
private final class OpenWatch: Sendable {
    private let served: Served
    private let heard = Atomic<Int>(0)
    private let posted = Atomic<Int>(0)
    private let subscription = Lock<(any Disposable)?>(nil)

    init?() {
        var options = TapOptions()
        // Each event must be heard, even on a machine where posting leaves the tap little time.
        options.processorShare = 1
        guard let served = try? Served(options) else { return nil }
        self.served = served
        let handle = TapClient(path: served.folder.socket).watch(filter: "size(topic) > 0", buffer: 8 << 20).subscribe(
            next: { [weak self] news in
                if case .event(let event) = news, !event.topic.isEmpty { self?.heard.add(1, ordering: .relaxed) }
            },
            failed: { _ in _exit(9) },
            lost: { _ in _exit(8) }
        )
        subscription.withLock { $0 = handle }
        waitUntil { served.isWatched }
    }

    /// Posts one event with names that few others before it had.
    func post() {
        let number = posted.add(1, ordering: .relaxed).newValue
        let name = "day.t\(number % 6000)"
        // A scope that no earlier event had.
        let bus = number % 3 == 0 ? served.bus.child(named: "connection \(number)") : served.bus
        if number % 2 == 0 {
            if let topic = try? Topic<Small>(checking: name + ".a") { bus.post(Small(service: "web"), to: topic) }
        } else if let topic = try? Topic<Other>(checking: name + ".b") {
            bus.post(Other(exitStatus: number), to: topic)
        }
    }

    func waitUntilHeard() {
        waitUntil { heard.load(ordering: .relaxed) == posted.load(ordering: .relaxed) }
    }
}

@Suite("A watch that stays open")
struct CompactResidueTests {
    @Test("Changing names do not increase the memory with every event")
    func day() async {
        await #expect(processExitsWith: .success) {
            guard let watch = OpenWatch() else { _exit(7) }
            await Residue.exitIfLeft(Stress.rounds(4000, stress: 2_000_000), settle: { watch.waitUntilHeard() }) {
                watch.post()
            }
        }
    }
}
