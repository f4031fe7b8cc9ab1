extension Signals {
    /// The signal, of several, that a key names at the moment.
    ///
    /// ```
    /// key          --a-----x----b---|
    /// cases[a]       -1--2--3-
    /// cases[b]                  -4|
    /// default              -9-9-
    /// switch       ---1--2--9-9--4--|
    /// ```
    ///
    /// Each key subscribes anew, also one that is equal to the one before it; put `removeDuplicates()` on the keys to
    /// avoid that. (ReactiveCocoa fails where no default is given and no case matches; here, give a default that
    /// fails.)
    ///
    /// - Ends: when the keys and the present signal have ended.
    /// - Fails: with the keys or the present signal; the other is released before.
    /// - Cancelling: ends both subscriptions.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends; it is subscribed to on the keys'.
    ///
    /// - Parameters:
    ///   - keys: say which signal is heard.
    ///   - cases: the signal for a key.
    ///   - fallback: the signal for a key that has none.
    @inlinable
    @inline(__always)
    public static func `switch`<Keys: Signal, Case: Signal, Default: Signal>(
        on keys: Keys,
        cases: [Keys.Value: Case],
        default fallback: Default
    ) -> some Signal<Case.Value, Case.Failure>
    where
        Keys.Value: Hashable,
        Keys.Failure == Case.Failure,
        Default.Value == Case.Value,
        Default.Failure == Case.Failure
    {
        keys.flatMapLatest { key in
            cases[key].map { EitherSignal<Case, Default>.first($0) } ?? .second(fallback)
        }
    }
}
