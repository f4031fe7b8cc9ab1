extension Signal {
    /// All but the last `count` values; each is sent when the one `count` places after it arrives.
    ///
    /// ```
    /// self          --1---2---3---4--|
    /// skip(last: 2) ----------1---2--|
    /// ```
    ///
    /// A count of zero or less skips none.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: at most `count` values. A loss is reported behind the values that came before it, or at the end.
    ///
    /// - Parameter count: how many values are held back.
    @inlinable
    @inline(__always)
    public consuming func skip(last count: Int) -> some Signal<Value, Failure> {
        transduced(by: SkippingLast(count: count))
    }
}

@frozen
@usableFromInline
struct SkippingLast<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let count: Int
    @usableFromInline var heldBack = LastValues<Input>()

    @inlinable
    init(count: Int) {
        self.count = count
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard count > 0 else { return downstream.next(value) }
        guard let released = heldBack.push(value, limit: count) else { return downstream.demand }
        let demand = downstream.next(released.value)
        if released.lost > 0, demand != .stop { downstream.lost(released.lost) }
        return demand
    }

    @inlinable
    mutating func lost<Downstream: Observer & ~Copyable>(
        _ count: Int,
        to downstream: inout Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if !heldBack.lose(count) { downstream.lost(count) }
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if heldBack.lost > 0, downstream.demand != .stop { downstream.lost(heldBack.lost) }
        downstream.terminate(termination)
    }

    @usableFromInline static var name: String { "skip(last:)" }
    @usableFromInline var name: String { "skip(last: \(count))" }
}
