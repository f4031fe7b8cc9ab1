extension Signals {
    /// What a callback is called with, for interfaces that take a handler and give it back: observers, delegates, C
    /// callbacks. Cold: every subscription registers a handler of its own.
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
    /// - Cancelling: unregisters the handler; it is unregistered exactly once, also when the observer wants no more, and
    ///   then before the observer hears the end. A handler that is called during or after that is not heard.
    /// - Buffers: while one thread delivers, at most 1,024 values of others; then they wait.
    /// - Thread: the one that calls the handler, or another that is calling it.
    ///
    /// - Parameters:
    ///   - register: hands the handler to the interface and returns what it takes to unregister it. The handler may be
    ///     called from any thread and at once.
    ///   - unregister: takes the handler back. When the interface itself forgets the handler, the chain is freed, and
    ///     this is still called only for a handle that is disposed of.
    @inlinable
    public static func fromCallback<Value: Sendable, Registration: Sendable>(
        register: @escaping @Sendable (_ handler: @escaping @Sendable (Value) -> Void) -> Registration,
        unregister: @escaping @Sendable (Registration) -> Void
    ) -> some Signal<Value, Never> {
        CallbackSignal(register: register, unregister: unregister)
    }
}

@frozen
@usableFromInline
struct CallbackSignal<Value: Sendable, Registration: Sendable>: Signal {
    @usableFromInline typealias Failure = Never
    @usableFromInline let register: @Sendable (@escaping @Sendable (Value) -> Void) -> Registration
    @usableFromInline let unregister: @Sendable (Registration) -> Void

    @inlinable
    init(
        register: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> Registration,
        unregister: @escaping @Sendable (Registration) -> Void
    ) {
        self.register = register
        self.unregister = unregister
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        CreateSubscription(SerialObserver(observer)).start { [register, unregister] emitter in
            guard emitter.demand == .more else { return nil }
            let registration = register { emitter.next($0) }
            return ActionDisposable { unregister(registration) }
        }
    }

    @usableFromInline var chain: Chain { Chain(source: "callback") }
}
