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
