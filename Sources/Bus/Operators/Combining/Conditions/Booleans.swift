extension Signal where Value == Bool {
    /// Whether this signal's and another's latest values are both true, whenever one of them sends.
    ///
    /// ```
    /// self  --t-----t--f--|
    /// other ----f-t-------|
    /// and   ----f-t-t--f--|
    /// ```
    ///
    /// The result is sent whether or not it differs from the one before it; use `removeDuplicates()` to send only
    /// changes.
    ///
    /// - Ends: when both have ended; at once when one ends that never sent a value.
    /// - Fails: with the first failure of either; the other is released before.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: the latest value of each; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends.
    @inlinable
    @inline(__always)
    public consuming func and<Other: Signal>(
        _ other: Other
    ) -> some Signal<Bool, Failure> where Other.Value == Bool, Other.Failure == Failure {
        combineLatest(other).map { $0.0 && $0.1 }
    }

    /// Whether one of this signal's and another's latest values is true, whenever one of them sends.
    ///
    /// ```
    /// self  --t-----f-----|
    /// other ----f-f----t--|
    /// or    ----t-t-f--t--|
    /// ```
    ///
    /// The result is sent whether or not it differs from the one before it; use `removeDuplicates()` to send only
    /// changes.
    ///
    /// - Ends: when both have ended; at once when one ends that never sent a value.
    /// - Fails: with the first failure of either; the other is released before.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: the latest value of each; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends.
    @inlinable
    @inline(__always)
    public consuming func or<Other: Signal>(
        _ other: Other
    ) -> some Signal<Bool, Failure> where Other.Value == Bool, Other.Failure == Failure {
        combineLatest(other).map { $0.0 || $0.1 }
    }

    /// The opposite of each value.
    ///
    /// ```
    /// self --t--f--|
    /// not  --f--t--|
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    @inlinable
    @inline(__always)
    public consuming func not() -> some Signal<Bool, Failure> {
        map { !$0 }
    }
}

extension Signal where Value == Bool {
    /// Whether this signal's latest value and that of one that cannot fail are both true. See `and(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func and<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Failure> where Other.Value == Bool, Other.Failure == Never {
        AnySignal(and(other.promoteFailure(to: Failure.self)))
    }

    /// Whether this signal's latest value or that of one that cannot fail is true. See `or(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func or<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Failure> where Other.Value == Bool, Other.Failure == Never {
        AnySignal(or(other.promoteFailure(to: Failure.self)))
    }
}

extension Signal where Value == Bool, Failure == Never {
    /// Whether the latest values of this signal, which cannot fail, and of one that can are both true. See `and(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func and<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Other.Failure> where Other.Value == Bool {
        AnySignal(promoteFailure(to: Other.Failure.self).and(other))
    }

    /// Whether the latest value of this signal, which cannot fail, or of one that can is true. See `or(_:)`.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public consuming func or<Other: Signal>(
        _ other: Other
    ) -> AnySignal<Bool, Other.Failure> where Other.Value == Bool {
        AnySignal(promoteFailure(to: Other.Failure.self).or(other))
    }
}
