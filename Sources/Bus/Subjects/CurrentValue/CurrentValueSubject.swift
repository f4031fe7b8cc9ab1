/// A subject that has a value: a subscriber hears the present value and then the later ones.
///
/// ```
/// initial 0   send --1---2-----3--|
/// early       0----1---2-----3--|
/// late                   ^2--3--|
/// ```
///
/// The present value and the values that follow it are decided in one step, so none is missed or heard twice. ``value`` is
/// the value sent last, also while its event still waits for its turn. ``MutableProperty`` is the same without an end of its
/// own, and can be modified.
///
/// - Ends: when told. A later subscriber hears the end and no value. (As in RxSwift and Combine; ReactiveCocoa's
///   behaviour subject still sent the value, and no end.)
/// - Fails: when told.
/// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
/// - Buffers: the present value; and at most `limit` values while another is being delivered. When that queue is full, the
///   newest value replaces the one before it, so that the last one is always heard; the subscribers are told how many are
///   missing, and ``lost`` counts them.
/// - Thread: the present value is heard during `subscribe`, on its thread, unless another event is being delivered: then
///   after that one and on its thread. Otherwise as with ``Subject``.
///
/// Dropping the subject frees its subscribers' chains. They hear no end.
public final class CurrentValueSubject<Value: Sendable, Failure: Error>: SubjectProtocol {
    @usableFromInline let core: CurrentValueCore<Value, Failure>

    /// - Parameters:
    ///   - value: the first value.
    ///   - failure: the type of the failure; `Never`, unless told.
    ///   - limit: how many values may wait while another is being delivered.
    @inlinable
    public init(_ value: Value, failure: Failure.Type = Never.self, limit: Int = 65_536) {
        core = CurrentValueCore(value, limit: limit)
    }

    /// The value that was sent last. Setting it sends it.
    @inlinable
    public var value: Value {
        get { core.value }
        set { core.write(newValue) }
    }

    @inlinable
    public func send(_ value: Value) {
        core.write(value)
    }

    @inlinable
    public func sendLoss(of count: Int) {
        core.output.lost(count)
    }

    public func complete() {
        core.terminate(.completed)
    }

    public func fail(_ failure: Failure) {
        core.terminate(.failed(failure))
    }

    @inlinable
    public var demand: Demand { core.output.demand }

    public func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { core.output.whenReady(resume) }

    /// How many values were not heard because `limit` of them were waiting.
    public var lost: Int { core.lost }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        core.output.attach(observer)
    }
}

/// A value that several threads may read and write, whose writes are heard in the order in which they happened.
@usableFromInline
package final class CurrentValueCore<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let output: SerialObserver<CurrentValueList<Value, Failure>>
    /// Held while a write takes its turn to be heard; never during delivery.
    @usableFromInline let state: Lock<CurrentValueState<Value>>

    @usableFromInline
    package init(_ value: Value, limit: Int) {
        output = SerialObserver(CurrentValueList(value), limit: limit, whilePaused: .pass)
        state = Lock(CurrentValueState(value))
    }

    deinit {
        output.abandon()
    }

    @inlinable
    package var value: Value { state.withLock { $0.value } }

    package var lost: Int { output.lost }

    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Writes a value, sends it, and returns the previous one.
    @inlinable
    @discardableResult
    package func write(_ new: Value) -> Value {
        let thread = pthreadSelf()
        // Released after the lock is: the deinitialisers of its content may run any code.
        var displaced: Value?
        let (old, turn) = state.withLock { state -> (Value, SerialObserver<CurrentValueList<Value, Failure>>.Turn) in
            guard !state.hasEnded else { return (state.value, .done) }
            let old = state.write(new, by: thread)
            return (old, output.reserve(new, displaced: &displaced))
        }
        output.use(turn, for: new)
        return old
    }

    /// Writes the result of `change` for the value, and sends it.
    ///
    /// `change` runs without a lock, and again when another thread wrote meanwhile.
    @inlinable
    package func modify<Result, Problem: Error>(
        _ change: (inout Value) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        let thread = pthreadSelf()
        while true {
            let (value, version) = state.withLock { ($0.value, $0.version) }
            var changed = value
            let result = try change(&changed)
            if write(changed, over: version, by: thread) { return result }
        }
    }

    /// Writes a value unless another thread has written since `version`.
    @inlinable
    func write(_ new: Value, over version: UInt64, by thread: UInt) -> Bool {
        var displaced: Value?
        let (old, turn) = state.withLock { state -> (Value?, SerialObserver<CurrentValueList<Value, Failure>>.Turn?) in
            guard !state.hasEnded else { return (nil, .done) }
            guard state.isCurrent(version, for: thread) else { return (nil, nil) }
            let old = state.write(new, by: thread)
            return (old, output.reserve(new, displaced: &displaced))
        }
        guard let turn else { return false }
        withExtendedLifetime(old) { output.use(turn, for: new) }
        return true
    }

    package func terminate(_ termination: Termination<Failure>) {
        let turn = state.withLock { state -> SerialObserver<CurrentValueList<Value, Failure>>.Turn in
            guard !state.hasEnded else { return .done }
            state.hasEnded = true
            return output.reserve(termination)
        }
        if turn == .drain { output.drain() }
    }
}

/// A value, its last writer and its version: enough to write only if nobody else has written meanwhile.
@usableFromInline
package struct CurrentValueState<Value: Sendable>: Sendable {
    @usableFromInline var value: Value
    /// How often it was written.
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var hasEnded = false
    /// The thread that wrote last, and the version before the first of its writes in a row.
    @usableFromInline var writer: UInt = 0
    @usableFromInline var versionBeforeWriter: UInt64 = 0

    @usableFromInline
    package init(_ value: Value) {
        self.value = value
    }

    /// Writes, and returns the previous value.
    @inlinable
    package mutating func write(_ new: Value, by thread: UInt) -> Value {
        if writer != thread {
            writer = thread
            versionBeforeWriter = version
        }
        version &+= 1
        let old = value
        value = new
        return old
    }

    /// Whether the value read at `version` is still the last that another thread wrote. If the same thread has written since,
    /// it did so while it was computing what to write, and this write comes after.
    @inlinable
    package func isCurrent(_ version: UInt64, for thread: UInt) -> Bool {
        version == self.version || (writer == thread && versionBeforeWriter <= version)
    }
}

/// Sends each value to every subscriber, and the last value to a new one.
@usableFromInline
package struct CurrentValueList<Value: Sendable, Failure: Error>: SubscriberList, ~Copyable {
    /// The value that the subscribers heard last. The subject's own is ahead of it while events wait.
    @usableFromInline var current: Value
    @usableFromInline var fanout = Fanout<Value, Failure>()

    @usableFromInline
    package init(_ value: Value) {
        current = value
    }

    @inlinable
    package mutating func next(_ value: Value) -> Demand {
        current = value
        return fanout.next(value)
    }

    @usableFromInline
    package mutating func lost(_ count: Int) {
        fanout.lost(count)
    }

    @usableFromInline
    package consuming func terminate(_ termination: Termination<Failure>) {
        fanout.terminate(termination)
    }

    @usableFromInline
    package var demand: Demand { fanout.demand }

    @usableFromInline
    package mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { fanout.whenReady(resume) }

    @usableFromInline
    package mutating func add(_ slot: SubscriberSlot<Value, Failure>) {
        slot.send(current)
        if slot.hasStopped {
            slot.terminate(.completed)
        } else {
            fanout.add(slot)
        }
    }

    @usableFromInline
    package mutating func remove(_ slot: SubscriberSlot<Value, Failure>) {
        fanout.remove(slot)
    }
}
