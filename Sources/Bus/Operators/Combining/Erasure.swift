/// Forgets a signal's type once.
@usableFromInline
enum Erasure {
    /// The signal, erased; itself when it is already, which keeps what was known where it was erased first.
    @inlinable
    static func of<Upstream: Signal>(_ signal: Upstream) -> AnySignal<Upstream.Value, Upstream.Failure> {
        signal as? AnySignal<Upstream.Value, Upstream.Failure> ?? AnySignal(signal)
    }
}
