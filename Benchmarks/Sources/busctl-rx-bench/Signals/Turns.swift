import DequeModule
import Synchronization

/// The least cost of letting one event through at a time: an uncontended compare-exchange and a subtraction.
final class Turn: Sendable {
    private let work = Atomic<Int>(0)

    @inline(__always)
    func take() { _ = work.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing) }

    @inline(__always)
    func leave() { work.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}

/// The least cost of events that come from subjects and are joined: a turn in the subject, one in the order of the
/// joining operator, and the call of a closure that is unknown at compile time.
enum Turns {
    /// Each event comes from the next of the given subjects, except that `run` consecutive events come from the same
    /// one.
    static func two(of subjects: Int = 1, run: Int = 1) -> (Int) -> UInt64 {
        let (sources, joined, sum) = ((0..<subjects).map { _ in Turn() }, Turn(), Sum())
        let closure = listener(sum)
        return { count in
            let before = sum.value
            for number in 0..<count {
                let source = sources[number / run % subjects]
                source.take()
                joined.take()
                closure(number)
                joined.leave()
                source.leave()
            }
            return sum.value &- before
        }
    }

    /// Each event comes from the next of the given subjects and has to wait for those of all others.
    static func twoOfRounds(of subjects: Int) -> (Int) -> UInt64 {
        let (sources, joined, sum) = ((0..<subjects).map { _ in Turn() }, Turn(), Sum())
        let lines = Lines(count: subjects)
        let closure = listener(sum)
        return { count in
            let before = sum.value
            for round in 0..<count / subjects {
                for (place, source) in sources.enumerated() {
                    source.take()
                    joined.take()
                    lines.queues[place].append(round)
                    if place == subjects - 1 {
                        var last = 0
                        for line in lines.queues.indices { last = lines.queues[line].popFirst() ?? 0 }
                        closure(last)
                    }
                    joined.leave()
                    source.leave()
                }
            }
            return sum.value &- before
        }
    }

    private final class Lines {
        var queues: [Deque<Int>]

        init(count: Int) {
            queues = Array(repeating: [], count: count)
        }
    }

    /// Only one order.
    static func one(_ count: Int) -> UInt64 {
        let (turn, sum) = (Turn(), Sum())
        let closure = listener(sum)
        for number in 0..<count {
            turn.take()
            closure(number)
            turn.leave()
        }
        return sum.value
    }

    // Not inlined, so that it remains a call.
    @inline(never)
    private static func listener(_ sum: Sum) -> @Sendable (Int) -> Void {
        { sum.add($0) }
    }
}
