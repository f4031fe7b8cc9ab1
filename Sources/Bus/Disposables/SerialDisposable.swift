/// Holds one disposable at a time and disposes of it when the next takes its place.
///
/// ```swift
/// import Bus
///
/// final class Page: Sendable {
///     private let subscription = SerialDisposable()
///
///     func show(_ titles: some Signal<String, Never>) {
///         subscription.set(titles.subscribe(next: { print($0) }))  // ends the one before
///     }
/// }
/// ```
///
/// A disposable that is set after the disposal is disposed of at once. (ReactiveCocoa's class of this name left the
/// replaced one alone; ``swap(_:)`` does that.)
public final class SerialDisposable: Disposable {
    private struct State {
        var current: (any Disposable)?
        var isDisposed = false
    }

    private let state = Lock(State())

    /// Holds nothing. Releasing it does not dispose of what it holds then.
    public init() {}

    /// Puts `next` in place and disposes of the previous one.
    public func set(_ next: any Disposable) {
        swap(next)?.dispose()
    }

    /// Puts `next` in place and returns the previous one, not disposed of.
    @discardableResult
    public func swap(_ next: any Disposable) -> (any Disposable)? {
        let (previous, isDisposed) = state.withLock { state -> ((any Disposable)?, Bool) in
            guard !state.isDisposed else { return (nil, true) }
            let previous = state.current
            state.current = next
            return (previous, false)
        }
        if isDisposed { next.dispose() }
        return previous
    }

    public func dispose() {
        let current = state.withLock { state -> (any Disposable)? in
            state.isDisposed = true
            return state.current.take()
        }
        current?.dispose()
    }

    public var isDisposed: Bool {
        state.withLock { $0.isDisposed }
    }
}
