import BusTesting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// One source that sends without pause, and another thread that sends in between as often as it can.
@Suite("The right to deliver, with two threads")
struct DeliveryTurnTests {
    private static let count = Stress.rounds(20_000, stress: 200_000)

    /// Written without a lock by the delivering thread. Two at once would lose counts, and Thread Sanitizer would
    /// report it.
    private final class Ledger: @unchecked Sendable {
        var values = 0
        var isInOrder = true
        var interruptions = 0
    }

    private struct Entering: Observer, ~Copyable {
        let ledger: Ledger

        mutating func next(_ value: Int) -> Demand {
            ledger.isInOrder = ledger.isInOrder && value == ledger.values
            ledger.values += 1
            return .more
        }

        mutating func lost(_ count: Int) {}

        consuming func terminate(_ termination: Termination<Never>) {}

        var demand: Demand { .more }

        mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
    }

    @Test("each value is heard, one at a time, and none remains queued")
    func both() throws {
        let ledger = Ledger()
        let output = SerialObserver(Entering(ledger: ledger))
        let source = try TestThread {
            for value in 0..<Self.count where output.next(value) == .pause {
                let ready = Latch()
                if output.whenReady({ ready.open() }) == .pause { ready.wait() }
            }
        }
        let other = try TestThread {
            for _ in 0..<Self.count { output.perform { _, _ in ledger.interruptions += 1 } }
        }
        source.wait()
        other.wait()
        #expect(ledger.values == Self.count)
        #expect(ledger.isInOrder)
        #expect(ledger.interruptions == Self.count)
    }

    /// Makes two threads start together, as nearly as a machine can.
    private struct Start: ~Copyable {
        private let arrived = Atomic<Int>(0)

        borrowing func wait(round: Int) {
            arrived.add(1, ordering: .acquiringAndReleasing)
            var looks = 0
            while arrived.load(ordering: .acquiring) < 2 * (round + 1) {
                looks += 1
                if looks > 1000 { sched_yield() }
            }
        }
    }

    /// The processor writes the release of the right to deliver late, after other pending writes. The check of the
    /// queue must not come before it. Nothing follows here that would find an overlooked value.
    @Test("a value that arrives just as the right is released is not overlooked")
    func overlooked() throws {
        // If other work needs the processors, the two threads seldom run at once, and a round takes a time slice or
        // two.
        let rounds = Stress.rounds(1_000, stress: 20_000)
        let ledger = Ledger()
        let output = SerialObserver(Scattering())
        let both = (begun: Shared(Start()), done: Shared(Start()))
        let overlooked = Atomic<Int>(0)
        let source = try TestThread {
            for round in 0..<rounds {
                both.begun.value.wait(round: round)
                _ = output.next(round)
                both.done.value.wait(round: round)
            }
        }
        for round in 0..<rounds {
            both.begun.value.wait(round: round)
            // Earlier in one round, later in another.
            for _ in 0..<(round % 64) { atomicMemoryFence(ordering: .acquiring) }
            output.perform { _, _ in ledger.interruptions += 1 }
            both.done.value.wait(round: round)
            // A thread that the machine kept waiting may have left it to the package's.
            DeliveryThread.settle()
            if ledger.interruptions != round + 1 {
                overlooked.add(1, ordering: .relaxed)
                ledger.interruptions = round + 1
            }
        }
        source.wait()
        #expect(overlooked.load(ordering: .relaxed) == 0)
    }

    private final class Shared<Value: ~Copyable & Sendable>: Sendable {
        let value: Value

        init(_ value: consuming Value) { self.value = value }
    }

    /// Writes to scattered addresses in memory, so that later writes are delayed.
    private struct Scattering: Observer, ~Copyable {
        var memory = [UInt64](repeating: 0, count: 4 << 20)
        var place: UInt64 = 1

        mutating func next(_ value: Int) -> Demand {
            memory.withUnsafeMutableBufferPointer { memory in
                for _ in 0..<40 {
                    place = place &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    memory[Int(truncatingIfNeeded: place >> 42)] = place
                }
            }
            return .more
        }

        mutating func lost(_ count: Int) {}

        consuming func terminate(_ termination: Termination<Never>) {}

        var demand: Demand { .more }

        mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
    }

    @Test("a value queued by a callback is heard when the callback returns")
    func within() {
        let ledger = Ledger()
        let output = SerialObserver(Entering(ledger: ledger))
        output.perform { _, _ in
            output.perform { _, _ in ledger.interruptions += 1 }
            _ = output.next(0)
            #expect(ledger.interruptions == 0)
        }
        #expect(ledger.interruptions == 1)
        #expect(ledger.values == 1)
    }

    @Test("disposal in the middle of a delivery frees everything downstream after it")
    func disposing() throws {
        for _ in 0..<100 {
            let ledger = Ledger()
            weak let left = ledger
            let output = SerialObserver(Entering(ledger: ledger))
            let begun = Latch()
            let source = try TestThread {
                begun.open()
                var value = 0
                while output.next(value) == .more { value += 1 }
            }
            begun.wait()
            output.dispose()
            source.wait()
            _ = consume ledger
            #expect(left == nil)
        }
    }
}
