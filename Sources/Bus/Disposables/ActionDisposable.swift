/// Runs one action when disposed of, at most once, on the disposing thread, and then releases it.
///
/// Dropping it without disposing of it runs nothing.
public final class ActionDisposable: Disposable {
    private let action: Lock<(@Sendable () -> Void)?>

    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = Lock(action)
    }

    public func dispose() {
        let action = action.withLock { (held) -> (@Sendable () -> Void)? in held.take() }
        action?()
    }

    /// Releases the action without running it.
    @usableFromInline
    func forgo() {
        let action = action.withLock { (held) -> (@Sendable () -> Void)? in held.take() }
        // Released here, not under the lock.
        _ = consume action
    }

    public var isDisposed: Bool {
        action.withLock { $0 == nil }
    }
}
