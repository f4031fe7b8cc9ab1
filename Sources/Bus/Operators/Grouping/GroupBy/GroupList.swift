import DequeModule

/// A group's subscribers, and the values that wait for the first of them.
///
/// Stands below a ``SerialObserver`` that passes values on while it pauses: values wait here.
struct GroupList<Value: Sendable, Failure: Error>: SubscriberList, ~Copyable {
    /// How many values wait at most; a source that can pause is paused when half as many do.
    static var limit: Int { 1024 }

    private var fanout = Fanout<Value, Failure>()
    private var waiting: Deque<Value> = []
    private var hasStarted = false
    /// The first subscriber waits for other groups to end, and these do not end while the source pauses.
    private var pausesNobody = false
    /// Calls the paused source when the first subscriber comes.
    private var resume: (@Sendable () -> Void)?
    /// Sends the end, which came while values waited.
    private var end: (@Sendable () -> Void)?
    /// Counts a value that finds no room.
    private let lose: @Sendable () -> Void

    init(lose: @escaping @Sendable () -> Void) {
        self.lose = lose
    }

    mutating func next(_ value: Value) -> Demand {
        if hasStarted, waiting.isEmpty { return fanout.next(value) }
        if waiting.count < Self.limit {
            waiting.append(value)
        } else {
            lose()
        }
        return demand
    }

    mutating func lost(_ count: Int) { fanout.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) { fanout.terminate(termination) }

    var demand: Demand {
        if hasStarted { return waiting.isEmpty ? fanout.demand : .pause }
        return waiting.count > Self.limit / 2 && !pausesNobody ? .pause : .more
    }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guard hasStarted else {
            guard demand == .pause else { return .more }
            self.resume = resume
            return .pause
        }
        while true {
            let answer = fanout.whenReady(resume)
            if answer == .pause || waiting.isEmpty { return answer }
            handOver()
        }
    }

    mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        fanout.add(slot)
        hasStarted = true
        handOver()
        resume.take()?()
    }

    mutating func remove(_ slot: SubscriberSlot<Value, Failure>) { fanout.remove(slot) }

    /// Sends the waiting values, as far as the subscribers have room.
    private mutating func handOver() {
        while fanout.demand == .more, let value = waiting.popFirst() { _ = fanout.next(value) }
        if waiting.isEmpty { end.take()?() }
    }

    /// Values that exceed the limit are lost from here on, and no longer pause the source.
    mutating func pauseNobody() {
        pausesNobody = true
        resume.take()?()
    }

    /// Calls `end` when no value waits: at once, or later.
    mutating func whenEmpty(_ end: @escaping @Sendable () -> Void) {
        if waiting.isEmpty {
            end()
        } else {
            self.end = end
        }
    }
}
