import Glibc
import Synchronization

/// One subscriber of a bus that is not done yet.
///
/// The subscriber's observer holds it. An operator that enqueues the end, to pass it on later on another thread, holds it
/// until then (``ending``). When nobody holds it any more, the subscriber is done.
@usableFromInline
final class Listener: Sendable {
    private static let numbers = Atomic<UInt64>(0)

    /// The order of subscribing.
    let number: UInt64
    /// Closures that count the values waiting for it, one for each place where values may wait.
    let places: Lock<[@Sendable () -> Int]>
    private let list: ListenerList

    init(_ pattern: TopicPattern, in list: ListenerList) {
        number = Self.numbers.add(1, ordering: .relaxed).newValue
        places = Lock([])
        self.list = list
        list.enter(number, ListenerEntry(pattern: pattern, places: places))
    }

    deinit {
        list.leave(number)
    }

    /// Names a place where values wait for it.
    @usableFromInline
    func waits(in place: @escaping @Sendable () -> Int) {
        places.withLock { $0.append(place) }
    }

    // MARK: The end

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "the system has no thread-specific key left (pthread_key_create: \(code))")
        return key
    }()

    /// The listener whose end is being delivered on this thread.
    static var ending: Listener? {
        // Set by `end`, which holds the listener until it has taken it back.
        pthread_getspecific(key).map { Unmanaged<Listener>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Delivers the end.
    @usableFromInline
    func end(_ deliver: () -> Void) {
        let outer = pthread_getspecific(Self.key)
        // Held here until it is taken back below.
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        withExtendedLifetime(self) { deliver() }
        pthread_setspecific(Self.key, outer)
    }
}

extension BusHub {
    /// A subscriber to one topic, which is held until it is done.
    @usableFromInline
    func listener(to topic: TopicName) -> Listener { Listener(TopicPattern(topic), in: listeners) }

    /// A subscriber to a pattern.
    @usableFromInline
    func listener(to pattern: TopicPattern) -> Listener { Listener(pattern, in: listeners) }
}

/// Passes everything on, and keeps its subscriber listed on the bus for as long as the subscriber lives.
@frozen
@usableFromInline
struct ListeningObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let listener: Listener

    @inlinable
    init(_ downstream: consuming Downstream, _ listener: Listener) {
        self.downstream = downstream
        self.listener = listener
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        let listener = listener
        var downstream: Downstream? = downstream
        listener.end { downstream.take()?.terminate(termination) }
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

extension SubscriberQueue where Downstream: ~Copyable {
    /// Returns how many values wait here. It does not hold the queue.
    @usableFromInline
    var waiting: @Sendable () -> Int { { [state] in state.withLock { $0.pending.values } } }
}

extension SerialObserver where Downstream: ~Copyable {
    /// Returns how many values wait here. It does not hold the observer.
    @usableFromInline
    var waiting: @Sendable () -> Int { { [pending] in pending.withLock { $0.values } } }
}

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
            withExtendedLifetime(waiter) {}
        }
    }

    /// The subscribers that are not done, in the order in which they subscribed.
    var backlog: [SubscriberBacklog] {
        state.withLock { Array($0.entries) }.sorted { $0.key < $1.key }.map(\.value.backlog)
    }
}
