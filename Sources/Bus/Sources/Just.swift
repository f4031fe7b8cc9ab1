extension Signals {
    /// One value and completion. Cold.
    ///
    /// ```
    /// just(1) 1|
    /// ```
    ///
    /// - Ends: after the value, during subscribe.
    /// - Fails: never, whatever its type says.
    /// - Cancelling: does nothing; it is over when `subscribe` returns.
    /// - Thread: the subscriber's.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - failure: the type of failure of the signals it is to be composed with.
    @inlinable
    @inline(__always)
    public static func just<Value: Sendable, Failure: Error>(
        _ value: Value,
        failure: Failure.Type = Never.self
    ) -> some Signal<Value, Failure> {
        JustSignal<Value, Failure>(value: value)
    }
}

@frozen
@usableFromInline
struct JustSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let value: Value

    @inlinable
    init(value: Value) {
        self.value = value
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        switch observer.demand {
        case .more: _ = observer.next(value)
        case .pause: return walkOn(CollectionOfOne<Value>.self, from: CollectionOfOne(value).makeIterator(), observer)
        case .stop: break
        }
        observer.terminate(.completed)
        return FinishedDisposable()
    }

    @usableFromInline var chain: Chain { Chain(source: "just") }
}
