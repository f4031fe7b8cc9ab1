import BusTesting
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// One source that sends without pause, and another thread that comes in between as often as it can.
@Suite("Whose turn it is, with two threads")
struct DeliveryTurnTests {
    private static let count = 200_000

    /// Written without a lock by whoever delivers: two at once would lose counts, and Thread Sanitizer would say so.
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
    }

    @Test("each is heard, one at a time, and nothing stays in line", arguments: [false, true])
    func both(othersAreRare: Bool) throws {
        let ledger = Ledger()
        let output = SerialObserver(Entering(ledger: ledger), othersAreRare: othersAreRare)
        let source = try TestThread {
            for value in 0..<Self.count { _ = output.next(value) }
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

    @Test("what a callback puts in line is heard when it returns", arguments: [false, true])
    func within(othersAreRare: Bool) {
        let ledger = Ledger()
        let output = SerialObserver(Entering(ledger: ledger), othersAreRare: othersAreRare)
        output.perform { _, _ in
            output.perform { _, _ in ledger.interruptions += 1 }
            _ = output.next(0)
            #expect(ledger.interruptions == 0)
        }
        #expect(ledger.interruptions == 1)
        #expect(ledger.values == 1)
    }

    @Test("whoever disposes in the middle frees what is below once that is over", arguments: [false, true])
    func disposing(othersAreRare: Bool) throws {
        for _ in 0..<1000 {
            let ledger = Ledger()
            weak let left = ledger
            let output = SerialObserver(Entering(ledger: ledger), othersAreRare: othersAreRare)
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
