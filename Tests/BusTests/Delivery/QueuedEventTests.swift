import Bus
import Testing

@Suite("Losses in a queue of events")
struct QueuedEventTests {
    private enum Event: QueuedEvent, Equatable {
        case value(Int)
        case lost(Int)
        case other

        var isValue: Bool { if case .value = self { true } else { false } }

        var loss: Int? {
            get { if case .lost(let count) = self { count } else { nil } }
            set { self = .lost(newValue ?? 0) }
        }
    }

    @Test("adjacent losses are one")
    func adjacent() {
        var queue: [Event] = []
        queue.appendLoss(of: 2, .lost(2))
        queue.appendLoss(of: 3, .lost(3))
        queue.append(.other)
        queue.appendLoss(of: 1, .lost(1))
        #expect(queue == [.lost(5), .other, .lost(1)])
    }

    @Test("the oldest value leaves a loss in its place, which joins its neighbours")
    func oldest() {
        var queue: [Event] = [.other, .lost(2), .value(1), .lost(4), .value(2), .other]
        #expect(queue.loseOldest() == .value(1))
        #expect(queue == [.other, .lost(7), .value(2), .other])
        #expect(queue.loseOldest() == .value(2))
        #expect(queue == [.other, .lost(8), .other])
        #expect(queue.loseOldest() == nil)
        var first: [Event] = [.value(1), .value(2)]
        #expect(first.loseOldest() == .value(1) && first == [.lost(1), .value(2)])
    }
}
