import Bus
import Synchronization
import TestSupport
import Testing

@Suite("A bus that is dropped while a subscription is disposed of")
struct DropAndDisposeTests {
    /// Counts how often it is released.
    private final class Canary: Sendable {
        let released: CountOfReleases
        init(_ released: CountOfReleases) { self.released = released }
        deinit { released.count.add(1, ordering: .relaxed) }
    }

    private final class CountOfReleases: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test("Each subscriber is released once")
    func once() {
        let rounds = Stress.rounds(5000, stress: 200_000)
        #expect(onOwnThread { Self.run(rounds) } == rounds)
    }

    /// Returns how many subscribers were released.
    private static func run(_ rounds: Int) -> Int {
        let released = CountOfReleases()
        let disposer = ThreadScheduler(name: "disposer")
        for _ in 0..<rounds {
            let (begin, done) = (Gate(), Latch())
            var bus: NotificationBus? = NotificationBus()
            let canary = Canary(released)
            let subscription = bus?.signal(for: Topic<Int>("test.dropped")).subscribe(
                next: { _ in withExtendedLifetime(canary) {} }
            )
            disposer.schedule {
                begin.pass()
                subscription?.dispose()
                done.open()
            }
            begin.pass()
            bus = nil
            done.wait()
        }
        DeliveryThread.settle()
        return released.count.load(ordering: .relaxed)
    }

    /// Two threads pass it together.
    private final class Gate: Sendable {
        private let arrived = Atomic<Int>(0)

        func pass() {
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < 2 {}
        }
    }
}
