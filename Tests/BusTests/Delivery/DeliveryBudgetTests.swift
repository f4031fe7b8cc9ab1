import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// Another thread sends something whenever an event is delivered, so a call that delivered everything would never
/// return.
@Suite("What a call delivers for other threads")
struct DeliveryBudgetTests {
    /// Sends on a thread of its own, and returns when that is done.
    private final class Other: Sendable {
        private let thread = ThreadScheduler(name: "other")

        func send(_ body: @escaping @Sendable () -> Void) {
            let sent = Latch()
            thread.schedule {
                body()
                sent.open()
            }
            sent.wait()
        }
    }

    /// Counts what each thread delivers.
    private final class Deliveries: Sendable {
        private let counts = Lock<[UInt: Int]>([:])

        func count() { counts.withLock { $0[pthreadSelf(), default: 0] += 1 } }

        var here: Int { counts.withLock { $0[pthreadSelf()] ?? 0 } }
        var all: Int { counts.withLock { $0.values.reduce(0, +) } }
    }

    /// So many are sent at most, so that a failing test ends.
    private static let enough = 4 * Int(DeliveryBudget.events)

    @Test("A sender returns although others send, and nothing is lost")
    func sender() {
        let subject = Subject(of: Int.self, limit: Self.enough)
        let (deliveries, other) = (Deliveries(), Other())
        let sent = Atomic<Int>(1)
        let heard = Lock<[Int]>([])
        _ = subject.subscribe(next: { value in
            heard.withLock { $0.append(value) }
            deliveries.count()
            let next = sent.load(ordering: .relaxed)
            guard next < Self.enough else { return }
            sent.store(next + 1, ordering: .relaxed)
            other.send { subject.send(next) }
        })
        let here = onOwnThread {
            subject.send(0)
            return deliveries.here
        }
        #expect((1...1 + Int(DeliveryBudget.events)).contains(here ?? 0))
        #expect(heard.withLock { $0 } == Array(0..<Self.enough))
        #expect(subject.lost == 0)
        subject.complete()
    }

    @Test("A sender returns in time although the others' events take long")
    func time() {
        let subject = Subject(of: Int.self, limit: Self.enough)
        let (deliveries, other) = (Deliveries(), Other())
        _ = subject.subscribe(next: { value in
            deliveries.count()
            let end = MonotonicTime.nanoseconds + DeliveryBudget.nanoseconds
            while MonotonicTime.nanoseconds < end {}
            if value < 20 { other.send { subject.send(value + 1) } }
        })
        let here = onOwnThread {
            subject.send(0)
            return deliveries.here
        }
        // Its own, the one that begins the time, and one that is over.
        #expect((1...3).contains(here ?? 0))
        #expect(deliveries.all == 21)
        subject.complete()
    }

    @Test("A call inside the call has no bound of its own")
    func nested() {
        let (outer, inner) = (Subject(of: Int.self, limit: Self.enough), Subject(of: Int.self, limit: Self.enough))
        let (deliveries, other) = (Deliveries(), Other())
        let sent = Atomic<Int>(0)
        _ = outer.subscribe(next: { value in
            deliveries.count()
            inner.send(value)
            if sent.add(1, ordering: .relaxed).newValue < Self.enough { other.send { outer.send(value) } }
        })
        _ = inner.subscribe(next: { value in
            deliveries.count()
            if sent.add(1, ordering: .relaxed).newValue < Self.enough { other.send { inner.send(value) } }
        })
        let here = onOwnThread {
            outer.send(0)
            return deliveries.here
        }
        // Each event of another thread may bring one of its own.
        #expect((1...2 * (1 + Int(DeliveryBudget.events))).contains(here ?? 0))
        outer.complete()
        inner.complete()
    }

    @Test("Subscribing delivers nothing for others")
    func subscribing() {
        let subject = ReplaySubject(of: Int.self, capacity: 1)
        let (deliveries, other) = (Deliveries(), Other())
        subject.send(0)
        let here = onOwnThread {
            _ = subject.subscribe(next: { value in
                deliveries.count()
                if value < 10 { other.send { subject.send(value + 1) } }
            })
            return deliveries.here
        }
        #expect(here == 1)
        #expect(deliveries.all == 11)
        subject.complete()
    }

    /// Runs a closure when it is released.
    private final class Canary: Sendable {
        private let released: @Sendable () -> Void

        init(_ released: @escaping @Sendable () -> Void) { self.released = released }

        deinit { released() }
    }

    @Test("Disposing of a subscriber delivers nothing for others", arguments: [false, true])
    func disposing(isOnBus: Bool) {
        let (subject, bus, topic) = (Subject(of: Int.self), NotificationBus(), Topic<Int>("test.budget"))
        let (deliveries, other) = (Deliveries(), Other())
        let send = { @Sendable (value: Int) in if isOnBus { bus.post(value, to: topic) } else { subject.send(value) } }
        let signal = isOnBus ? bus.signal(for: topic).eraseToAnySignal() : subject.eraseToAnySignal()
        let staying = signal.subscribe(next: { value in
            deliveries.count()
            if value < 10 { other.send { send(value + 1) } }
        })
        let leaving = signal.subscribe(next: { [canary = Canary { other.send { send(1) } }] _ in
            withExtendedLifetime(canary) {}
        })
        let here = onOwnThread {
            leaving.dispose()
            return deliveries.here
        }
        #expect(here == 0)
        #expect(deliveries.all == 10)
        staying.dispose()
    }

    @Test("Events that a thread sends itself are delivered by it, however many")
    func own() {
        let subject = Subject(of: Int.self, limit: Self.enough)
        let deliveries = Deliveries()
        _ = subject.subscribe(next: { value in
            deliveries.count()
            if value < Self.enough { subject.send(value + 1) }
        })
        let here = onOwnThread {
            subject.send(1)
            return deliveries.here
        }
        #expect(here == Self.enough)
        subject.complete()
    }
}
