import Timers

/// The reference for the wheel: a plain list of timers, sorted by deadline and then by when they were scheduled.
struct SortedTimers {
    struct Timer: Equatable {
        var deadline: Int64
        var sequence: Int
        var payload: Int
    }

    private(set) var timers: [Timer] = []
    private var lastSequence = 0

    var count: Int { timers.count }
    var earliest: Int64? { timers.first?.deadline }

    mutating func schedule(at deadline: Int64, _ payload: Int) {
        lastSequence += 1
        let timer = Timer(deadline: deadline, sequence: lastSequence, payload: payload)
        // Everything that is not later goes before it. This is first in, first out among equals.
        var (low, high) = (0, timers.count)
        while low < high {
            let middle = (low + high) / 2
            if timers[middle].deadline <= deadline { low = middle + 1 } else { high = middle }
        }
        timers.insert(timer, at: low)
    }

    @discardableResult
    mutating func cancel(_ payload: Int) -> Bool {
        guard let index = timers.firstIndex(where: { $0.payload == payload }) else { return false }
        timers.remove(at: index)
        return true
    }

    mutating func reschedule(_ payload: Int, to deadline: Int64) -> Bool {
        guard cancel(payload) else { return false }
        schedule(at: deadline, payload)
        return true
    }

    mutating func removeFirst() -> Timer { timers.removeFirst() }
}
