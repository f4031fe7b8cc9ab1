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

/// Erases a signal once.
@usableFromInline
enum Erasure {
    /// The signal, erased; a signal that is erased already is returned as it is, which keeps the specialised code
    /// from where it was erased.
    @inlinable
    static func of<Upstream: Signal>(_ signal: Upstream) -> AnySignal<Upstream.Value, Upstream.Failure> {
        signal as? AnySignal<Upstream.Value, Upstream.Failure> ?? AnySignal(signal)
    }

    /// The signal, erased together with the type of its failure.
    @inlinable
    static func ofFailure<Upstream: Signal>(of signal: Upstream) -> AnySignal<Upstream.Value, any Error> {
        signal as? AnySignal<Upstream.Value, any Error> ?? AnySignal(signal.mapError { $0 as any Error })
    }
}

extension Signal {
    /// The events of a signal that cannot fail, once this one has completed.
    /// See `then(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func then<Next: Signal>(
        _ next: Next
    ) -> AnySignal<Next.Value, Failure> where Next.Failure == Never {
        AnySignal(then(next.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The events of a signal that can fail, once this one, which cannot, has completed.
    /// See `then(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func then<Next: Signal>(
        _ next: Next
    ) -> AnySignal<Next.Value, Next.Failure> {
        AnySignal(promoteFailure(to: Next.Failure.self).then(next))
    }
}

extension Signal {
    /// This signal's values, and after its completion those of one that cannot fail.
    /// See `Signals.concat(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func concat<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Failure> where Other.Value == Value, Other.Failure == Never {
        AnySignal(concat(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The values of this signal, which cannot fail, and after its completion those of one that can.
    /// See `Signals.concat(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func concat<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Other.Failure> where Other.Value == Value {
        AnySignal(promoteFailure(to: Other.Failure.self).concat(other))
    }
}

extension Signal {
    /// This signal's values and those of one that cannot fail, as they come.
    /// See `Signals.merge(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func merge<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Failure> where Other.Value == Value, Other.Failure == Never {
        AnySignal(merge(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The values of this signal, which cannot fail, and those of one that can, as they come.
    /// See `Signals.merge(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func merge<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Other.Failure> where Other.Value == Value {
        AnySignal(promoteFailure(to: Other.Failure.self).merge(other))
    }
}

extension Signal {
    /// This signal or one that cannot fail, whichever sends an event first.
    /// See `Signals.race(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func race<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Failure> where Other.Value == Value, Other.Failure == Never {
        AnySignal(race(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// This signal, which cannot fail, or one that can, whichever sends an event first.
    /// See `Signals.race(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func race<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Value, Other.Failure> where Other.Value == Value {
        AnySignal(promoteFailure(to: Other.Failure.self).race(other))
    }
}

extension Signal {
    /// This signal's latest value and that of one that cannot fail, whenever one of them sends.
    /// See `Signals.combineLatest(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func combineLatest<Other: Signal>(
        _ other: Other
    ) -> AnySignal<(Value, Other.Value), Failure> where Other.Failure == Never {
        AnySignal(combineLatest(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The latest values of this signal, which cannot fail, and of one that can, whenever one of them sends.
    /// See `Signals.combineLatest(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func combineLatest<Other: Signal>(
        _ other: Other
    ) -> AnySignal<(Value, Other.Value), Other.Failure> {
        AnySignal(promoteFailure(to: Other.Failure.self).combineLatest(other))
    }
}

extension Signal {
    /// The first values of this signal and of one that cannot fail, then their second values, and so on.
    /// See `Signals.zip(_:limit:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func zip<Other: Signal>(
        _ other: Other,
        limit: Int = 1024
    ) -> AnySignal<(Value, Other.Value), Failure> where Other.Failure == Never {
        AnySignal(zip(other.promoteFailure(to: Failure.self), limit: limit))
    }
}

extension Signal where Failure == Never {
    /// The first values of this signal, which cannot fail, and of one that can, then their second values, and so on.
    /// See `Signals.zip(_:limit:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func zip<Other: Signal>(
        _ other: Other,
        limit: Int = 1024
    ) -> AnySignal<(Value, Other.Value), Other.Failure> {
        AnySignal(promoteFailure(to: Other.Failure.self).zip(other, limit: limit))
    }
}

extension Signal {
    /// The values until a signal that cannot fail sends an event, then the events of that signal.
    /// See `take(untilReplacement:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func take<Replacement: Signal>(
        untilReplacement replacement: Replacement
    ) -> AnySignal<Value, Failure> where Replacement.Value == Value, Replacement.Failure == Never {
        AnySignal(take(untilReplacement: replacement.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Failure == Never {
    /// The values of this signal, which cannot fail, until one that can fail sends an event, then the events of that
    /// signal.
    /// See `take(untilReplacement:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func take<Replacement: Signal>(
        untilReplacement replacement: Replacement
    ) -> AnySignal<Value, Replacement.Failure> where Replacement.Value == Value {
        AnySignal(promoteFailure(to: Replacement.Failure.self).take(untilReplacement: replacement))
    }
}
