// Joins of signals whose failures are of different types, `Never` among them: the result can fail with any error.
extension Signals {
    /// The values of several signals, whose failures are of different types, as they come. See `merge(_:)` of a sequence.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    public static func merge<Value: Sendable, each Failure: Error>(
        _ signals: repeat any Signal<Value, each Failure>
    ) -> AnySignal<Value, any Error> {
        AnySignal(MergeSignal(signals: list(repeat each signals)))
    }

    /// The values of several signals, whose failures are of different types, one signal after the other.
    /// See `concat(_:)` of a sequence.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    public static func concat<Value: Sendable, each Failure: Error>(
        _ signals: repeat any Signal<Value, each Failure>
    ) -> AnySignal<Value, any Error> {
        AnySignal(ConcatSignal(signals: Draining(list(repeat each signals))))
    }

    /// The first of several signals, whose failures are of different types, to send an event.
    /// See `race(_:)` of a sequence.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    public static func race<Value: Sendable, each Failure: Error>(
        _ signals: repeat any Signal<Value, each Failure>
    ) -> AnySignal<Value, any Error> {
        AnySignal(RaceSignal(signals: list(repeat each signals)))
    }

    /// The latest values of several signals, whose failures are of different types, whenever one of them sends.
    /// See `combineLatest(_:)` of signals whose failures are of one type.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    public static func combineLatest<each Value: Sendable, each Failure: Error>(
        _ signals: repeat any Signal<each Value, each Failure>
    ) -> AnySignal<(repeat each Value), any Error> {
        CombineLatestPackSignal<repeat each Value, any Error>(repeat Erasure.ofFailure(of: each signals)).erased
    }

    /// The first values of several signals, whose failures are of different types, then the second values, and so on.
    /// See `zip(_:limit:)` of signals whose failures are of one type.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    public static func zip<each Value: Sendable, each Failure: Error>(
        _ signals: repeat any Signal<each Value, each Failure>,
        limit: Int = 1024
    ) -> AnySignal<(repeat each Value), any Error> {
        ZipPackSignal<repeat each Value, any Error>(repeat Erasure.ofFailure(of: each signals), limit: limit).erased
    }

    @usableFromInline
    static func list<Value: Sendable, each Failure: Error>(
        _ signals: repeat any Signal<Value, each Failure>
    ) -> [AnySignal<Value, any Error>] {
        var list: [AnySignal<Value, any Error>] = []
        for signal in repeat each signals { list.append(Erasure.ofFailure(of: signal)) }
        return list
    }
}
