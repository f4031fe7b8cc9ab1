/// Ends something that was started.
public protocol Disposable: Sendable {
    /// Ends it. May be called any number of times, from any thread and from inside callbacks; only the first counts.
    func dispose()

    /// Whether ``dispose()`` was called or nothing is left to end.
    var isDisposed: Bool { get }
}

/// The handle of a subscription that was over before it could be handed out.
@frozen
public struct FinishedDisposable: Disposable {
    @inlinable
    public init() {}

    @inlinable
    public func dispose() {}

    @inlinable
    public var isDisposed: Bool { true }
}
