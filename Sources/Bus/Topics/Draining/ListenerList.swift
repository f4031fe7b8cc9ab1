/// The entry of a bus for a subscriber that is not done.
struct ListenerEntry: Sendable {
    let pattern: TopicPattern
    let places: Lock<[@Sendable () -> Int]>

    var backlog: SubscriberBacklog {
        // Copied first, because each place has a lock of its own.
        let places = places.withLock { $0 }
        return SubscriberBacklog(pattern: pattern, waiting: places.reduce(0) { $0 + $1() })
    }
}

/// The subscribers of a bus, and of the buses inside it, that are not done.
///
/// It does not hold them: they leave when nobody holds them any more.
final class ListenerList: Sendable {
    private struct State: Sendable {
        var entries: [UInt64: ListenerEntry] = [:]
        var isClosed = false
        /// The calls that wait until all are done.
        var waiters: [UInt64: @Sendable () -> Void] = [:]
        var waiterNumber: UInt64 = 0

        var isDrained: Bool { isClosed && entries.isEmpty }

        /// The calls to make now.
        mutating func takeWaiters() -> [@Sendable () -> Void] {
            guard isDrained, !waiters.isEmpty else { return [] }
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    /// The list of the bus around this one.
    private let parent: ListenerList?
    private let state = Lock(State())

    init(parent: ListenerList?) {
        self.parent = parent
    }

    func enter(_ number: UInt64, _ entry: ListenerEntry) {
        state.withLock { $0.entries[number] = entry }
        parent?.enter(number, entry)
    }

    func leave(_ number: UInt64) {
        let (entry, waiters) = state.withLock { state -> (ListenerEntry?, [@Sendable () -> Void]) in
            (state.entries.removeValue(forKey: number), state.takeWaiters())
        }
        // Released here, not under the lock.
        withExtendedLifetime(entry) {}
        for waiter in waiters { waiter() }
        parent?.leave(number)
    }

    /// Later subscribers hear the end at once.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.takeWaiters()
        }
        for waiter in waiters { waiter() }
    }

    /// Calls once the bus is closed and all are done; at once if that is the case already.
    ///
    /// - Returns: a handle that cancels the call.
    func whenDrained(_ call: @escaping @Sendable () -> Void) -> any Disposable {
        let number = state.withLock { state -> UInt64? in
            if state.isDrained { return nil }
            state.waiterNumber += 1
            state.waiters[state.waiterNumber] = call
            return state.waiterNumber
        }
        guard let number else {
            call()
            return FinishedDisposable()
        }
        return ActionDisposable { [self] in
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            // Released here, not under the lock.
            withExtendedLifetime(waiter) {}
        }
    }

    /// The subscribers that are not done, in the order in which they subscribed.
    var backlog: [SubscriberBacklog] {
        state.withLock { Array($0.entries) }.sorted { $0.key < $1.key }.map(\.value.backlog)
    }
}
