extension Signals {
    /// The calls of a callback, for interfaces that take a handler and give it back: observers, delegates, C callbacks. Cold:
    /// every subscription registers a handler of its own.
    ///
    /// ```
    /// handler      --1---2---3---
    /// fromCallback --1---2---3---
    /// ```
    ///
    /// RxSwift's `fromEventPattern`.
    ///
    /// - Ends: never by itself.
    /// - Fails: never.
    /// - Cancelling: unregisters the handler; it is unregistered exactly once, also when the observer wants no more, and then
    ///   before the observer hears the end. A call of the handler during or after that is not heard.
    /// - Buffers: at most `limit` values, while the observer pauses or another thread delivers. The caller of the handler is
    ///   never kept waiting.
    /// - Thread: the one that calls the handler, or another that is calling it.
    ///
    /// - Parameters:
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already; by default the newest is lost and counted.
    ///   - register: hands the handler to the interface and returns the token for unregistering it. The handler may be called
    ///     from any thread and at once.
    ///   - unregister: takes the handler back. When the interface itself forgets the handler, the chain is freed, and
    ///     this is still called only for a handle that is disposed of.
    @inlinable
    public static func fromCallback<Value: Sendable, Registration: Sendable>(
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause,
        register: @escaping @Sendable (_ handler: @escaping @Sendable (Value) -> Void) -> Registration,
        unregister: @escaping @Sendable (Registration) -> Void
    ) -> some Signal<Value, Never> {
        CallbackSignal(limit: limit, overflow: overflow, register: register, unregister: unregister)
    }
}

@frozen
@usableFromInline
struct CallbackSignal<Value: Sendable, Registration: Sendable>: Signal {
    @usableFromInline typealias Failure = Never
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>
    @usableFromInline let register: @Sendable (@escaping @Sendable (Value) -> Void) -> Registration
    @usableFromInline let unregister: @Sendable (Registration) -> Void

    @inlinable
    init(
        limit: Int,
        overflow: Overflow<Never>,
        register: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> Registration,
        unregister: @escaping @Sendable (Registration) -> Void
    ) {
        self.limit = limit
        self.overflow = overflow
        self.register = register
        self.unregister = unregister
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        CreateSubscription(observer, limit: limit, overflow: overflow).start {
            [register, unregister] emitter in
            guard emitter.demand != .stop else { return nil }
            let registration = register { emitter.send($0) }
            return ActionDisposable { unregister(registration) }
        }
    }

    @usableFromInline var chain: Chain { Chain(source: "callback") }
}
