import DequeModule

/// The bounded queue between a signal and a task, which takes everything at once.
struct LossyQueue<Value: Sendable, Failure: Error>: Sendable {
    /// The answer to a value: there was room; or the value took the last place, so that its sender is to pause; or
    /// the queue takes nothing any more.
    enum Arrival: Sendable { case accepted, full, closed }

    /// The values that the task takes together, and the notes beside them.
    struct Batch: Sendable {
        var values: Deque<Value> = []
        var notes = HandoverNotes<Failure>()

        var isEmpty: Bool { values.isEmpty && notes.isEmpty }

        /// The number of all missing values.
        var lost: Int { notes.gaps.total }
    }

    private let limit: Int
    private var record: HandoverRecord<Failure>
    private var values: Deque<Value> = []

    init(limit: Int, overflow: Overflow<Failure>) {
        self.limit = max(1, limit)
        record = HandoverRecord(overflow)
    }

    var isEmpty: Bool { values.isEmpty && record.notes.isEmpty }

    var isClosed: Bool { record.isClosed }

    /// How many values wait.
    var waiting: Int { values.count }

    /// The number of all values missing among and behind the waiting ones.
    var lost: Int { record.notes.gaps.total }

    mutating func append(_ value: Value) -> Arrival {
        guard record.takesValues else {
            record.refuse()
            return .closed
        }
        guard values.count < limit else { return overflow(with: value) }
        values.append(value)
        return values.count == limit && record.pausesSource ? .full : .accepted
    }

    private mutating func overflow(with value: Value) -> Arrival {
        switch record.overflow(waiting: values.count) {
        case .lost: return .accepted
        case .lostAndPaused: return .full
        case .refused: return .closed
        case .replacesOldest:
            values.removeFirst()
            values.append(value)
            return .accepted
        }
    }

    /// Notes that values are missing behind those that wait.
    mutating func lose(_ count: Int) {
        record.lose(count, behind: values.count)
    }

    mutating func terminate(_ termination: Termination<Failure>) {
        record.terminate(termination)
    }

    /// Everything that waits, leaving room for as much again.
    mutating func take() -> Batch {
        var taken = Batch()
        swap(&taken.values, &values)
        taken.notes = record.takeNotes()
        return taken
    }
}
