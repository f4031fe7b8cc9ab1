public import Bus
public import DequeModule

/// A bounded line of values, losses and the end, in which each waits until its pace lets it go. A value: it knows no
/// timer and no thread.
@frozen
@usableFromInline
struct WaitingLine<Value: Sendable, Failure: Error, Step: Pace>: Sendable {
    @frozen
    @usableFromInline
    enum Event: Sendable {
        case next(Value)
        case lost(Int)
        case end(Termination<Failure>)
    }

    @frozen
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var event: Event
        @usableFromInline let arrival: Int64

        @inlinable
        init(_ event: Event, _ arrival: Int64) {
            self.event = event
            self.arrival = arrival
        }
    }

    /// What became of something that arrived.
    @frozen
    @usableFromInline
    enum Arrival: Sendable {
        /// It need not wait.
        case passes
        /// It stands in line; with an instant, the timer is to be set for that. `dropped` is what made room.
        case queued(arm: Int64?, dropped: Value?)
        case mustWait
        case closed
    }

    /// What the line answers to the one who serves it.
    @frozen
    @usableFromInline
    enum Turn: Sendable {
        case now(Event)
        case later(Int64)
        case nothing
    }

    @usableFromInline var step: Step
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline var entries: Deque<Entry> = []
    @usableFromInline var values = 0
    /// The timer is set, or what is due is being sent: whoever does that looks at the line again.
    @usableFromInline var isServed = false
    /// The end stands in line; nothing comes after it.
    @usableFromInline var isClosed = false

    @inlinable
    init(_ step: Step, limit: Int, overflow: Overflow<Failure>) {
        self.step = step
        // Who is to wait for room must be given some.
        if case .wait = overflow { self.limit = max(1, limit) } else { self.limit = max(0, limit) }
        self.overflow = overflow
    }

    @inlinable
    mutating func append(_ value: Value, at now: Int64) -> Arrival {
        guard !isClosed else { return .closed }
        if step.letsPass, !isServed, entries.isEmpty, step.due(arrival: now, at: now) <= now {
            step.sent(at: now)
            return .passes
        }
        guard values < limit else { return overflow(with: value, at: now) }
        return enqueue(value, at: now)
    }

    @inlinable
    mutating func enqueue(_ value: Value, at now: Int64, dropped: Value? = nil) -> Arrival {
        values += 1
        entries.append(Entry(.next(value), now))
        return .queued(arm: claim(at: now), dropped: dropped)
    }

    @usableFromInline
    mutating func overflow(with value: Value, at now: Int64) -> Arrival {
        switch overflow {
        case .wait: return .mustWait
        case .dropOldest where limit > 0:
            let dropped = dropOldest()
            return enqueue(value, at: now, dropped: dropped)
        case .dropNewest, .dropOldest: return lost(1, at: now)
        case .fail(let makeFailure): return enqueueEnd(.failed(makeFailure(1)), at: now)
        }
    }

    /// The first value leaves, and a loss stands in its place.
    private mutating func dropOldest() -> Value? {
        guard let index = entries.firstIndex(where: { $0.isValue }) else { return nil }
        guard case .next(let dropped) = entries[index].event else { return nil }
        values -= 1
        entries[index].event = .lost(1)
        // Losses side by side are one: before it stands one at most, and after it, too.
        for neighbour in [index + 1, index] where neighbour > 0 && neighbour < entries.count {
            guard case .lost(let more) = entries[neighbour].event,
                case .lost(let count) = entries[neighbour - 1].event
            else { continue }
            entries[neighbour - 1].event = .lost(count + more)
            entries.remove(at: neighbour)
        }
        return dropped
    }

    @usableFromInline
    mutating func lost(_ count: Int, at now: Int64) -> Arrival {
        guard !isClosed else { return .closed }
        if let last = entries.indices.last, case .lost(let before) = entries[last].event {
            entries[last].event = .lost(before + count)
        } else {
            entries.append(Entry(.lost(count), now))
        }
        return .queued(arm: claim(at: now), dropped: nil)
    }

    @usableFromInline
    mutating func end(_ termination: Termination<Failure>, at now: Int64) -> Arrival {
        guard !isClosed else { return .closed }
        if step.letsPass, !isServed, entries.isEmpty {
            isClosed = true
            return .passes
        }
        return enqueueEnd(termination, at: now)
    }

    private mutating func enqueueEnd(_ termination: Termination<Failure>, at now: Int64) -> Arrival {
        isClosed = true
        entries.append(Entry(.end(termination), now))
        return .queued(arm: claim(at: now), dropped: nil)
    }

    /// The first in line, if it may go. When nothing is left, nobody serves the line any more; when it is to be later,
    /// the one who asked sees to that.
    @usableFromInline
    mutating func take(at now: Int64) -> Turn {
        guard !entries.isEmpty else {
            isServed = false
            return .nothing
        }
        let due = due(at: now)
        guard due <= now, let entry = entries.popFirst() else { return .later(due) }
        if entry.isValue {
            values -= 1
            step.sent(at: now)
        }
        return .now(entry.event)
    }

    /// Nothing is wanted any more; answers what stood in line.
    @usableFromInline
    mutating func close() -> Deque<Entry> {
        isClosed = true
        values = 0
        var rest: Deque<Entry> = []
        swap(&rest, &entries)
        return rest
    }

    /// When the timer is to be set, if nobody serves the line.
    @inlinable
    mutating func claim(at now: Int64) -> Int64? {
        guard !isServed else { return nil }
        isServed = true
        return due(at: now)
    }

    @inlinable
    mutating func due(at now: Int64) -> Int64 {
        guard let first = entries.first else { return .max }
        return first.isValue
            ? step.due(arrival: first.arrival, at: now)
            : step.dueOther(arrival: first.arrival)
    }
}

extension WaitingLine.Entry {
    @inlinable
    var isValue: Bool {
        if case .next = event { return true }
        return false
    }
}
