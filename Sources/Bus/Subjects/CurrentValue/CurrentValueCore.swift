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
