/// A value and a signal of its later values: ``MutableProperty`` and ``Property``.
public protocol PropertyProtocol<Value>: Sendable {
    /// The type of the property's values.
    associatedtype Value: Sendable
    /// The type of the signal ``values``.
    associatedtype Values: Signal<Value, Never>

    /// The value now.
    var value: Value { get }

    /// The value now and then every later one, one event for each set, equal or not.
    ///
    /// ```
    /// set       --1---1---2--x     (the property dies)
    /// values  0---1---1---2--|     (subscribed to at the beginning)
    /// values        ^1-1---2--|
    /// ```
    ///
    /// The value now is heard during `subscribe`. The property's values are set when it is heard, so a subscriber that
    /// looks at ``value`` finds the one it was given or a later one.
    ///
    /// - Ends: when the property dies. A later subscriber hears the end and no value.
    /// - Fails: never.
    /// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
    /// - Buffers: while one value is being delivered, at most 65,536 others, or as told when the property was made.
    ///   Beyond that, the newest replaces the one before it, so that the last one is always heard.
    /// - Thread: the setter's, or that of another setter that is delivering.
    var values: Values { get }

    /// The same property, to be read only. It does not keep this one alive.
    var readOnly: Property<Value> { get }
}

extension PropertyProtocol {
    /// Every later set, as the value before and after it, without the value now.
    ///
    /// ```
    /// set       --1---1---2--x        (0 at the beginning; the property dies)
    /// changes   --01--11--12--|
    /// ```
    ///
    /// - Ends: when the property dies.
    /// - Fails: never.
    /// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
    /// - Buffers: the last value heard; else as ``values``.
    /// - Thread: as ``values``.
    public var changes: some Signal<(old: Value, new: Value), Never> {
        values.transduced(by: ChangePairing())
    }
}

/// Puts each value beside the one before it.
@frozen
@usableFromInline
struct ChangePairing<Input: Sendable>: Transducer {
    @usableFromInline typealias Output = (old: Input, new: Input)
    @usableFromInline typealias InputFailure = Never
    @usableFromInline var old: Input?

    @usableFromInline
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Never {
        guard let old else {
            self.old = value
            return downstream.demand
        }
        self.old = value
        return downstream.next((old: old, new: value))
    }

    @usableFromInline static var name: String { "changes" }
}
