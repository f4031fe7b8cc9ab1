/// Ends something that was started.
public protocol Disposable: Sendable {
    /// Ends it. May be called any number of times, from any thread and from inside callbacks; only the first counts.
    func dispose()

    /// Whether ``dispose()`` was called or nothing is left to end.
    var isDisposed: Bool { get }
}

/// The handle of a subscription that was over before it could be handed out, for sources of your own.
@frozen
public struct FinishedDisposable: Disposable {
    /// Disposed of from the beginning: ``dispose()`` does nothing.
    @inlinable
    public init() {}

    @inlinable
    public func dispose() {}

    @inlinable
    public var isDisposed: Bool { true }
}

/// Runs one action when disposed of, at most once, on the disposing thread, and then releases it.
///
/// Dropping it without disposing of it runs nothing.
public final class ActionDisposable: Disposable {
    private let action: Lock<(@Sendable () -> Void)?>

    /// - Parameter action: called without a lock, so it may do anything.
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
        _ = consume action
    }

    public var isDisposed: Bool {
        action.withLock { $0 == nil }
    }
}

/// Disposes of its content when it is itself released: ties subscriptions to the lifetime of their owner.
///
/// ```swift
/// import Bus
///
/// final class Display {
///     private let subscriptions = ScopedDisposable()
///
///     func follow(_ texts: some Signal<String, Never>) {
///         texts.subscribe(next: { print($0) }).store(in: subscriptions)
///     }
/// }
/// ```
public final class ScopedDisposable: Disposable {
    private let wrapped: any Disposable
    /// The handles that were stored in it.
    private let others: CompoundDisposable

    /// Has nothing to dispose of yet: `store(in:)` adds it.
    public init() {
        others = CompoundDisposable()
        wrapped = others
    }

    /// - Parameter wrapped: the handle to dispose of. Others may dispose of it before.
    public init(_ wrapped: any Disposable) {
        self.wrapped = wrapped
        others = wrapped as? CompoundDisposable ?? CompoundDisposable()
    }

    deinit {
        dispose()
    }

    func add(_ member: any Disposable) { others.add(member) }

    public func dispose() {
        wrapped.dispose()
        others.dispose()
    }

    public var isDisposed: Bool { wrapped.isDisposed }
}

extension Disposable {
    /// This handle, disposed of when the returned object is released.
    public func scoped() -> ScopedDisposable {
        ScopedDisposable(self)
    }
}

extension ScopedDisposable: ReleasedAtEnd {
    @usableFromInline
    consuming func release() { dispose() }
}
