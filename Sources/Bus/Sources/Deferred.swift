extension Signals {
    /// A signal that is made anew for every subscription.
    ///
    /// ```
    /// deferred { from(1...n) }  n = 2: 12|
    ///                           n = 3: 123|
    /// ```
    ///
    /// - Ends: with the signal that was made.
    /// - Fails: with the signal that was made.
    /// - Cancelling: ends the subscription to the signal that was made.
    /// - Thread: that of the signal that was made; `make` runs on the subscriber's.
    ///
    /// - Parameter make: makes the signal to subscribe to.
    @inlinable
    @inline(__always)
    public static func deferred<Made: Signal, Output: Sendable, Problem: Error>(
        _ make: @escaping @Sendable () -> Made
    ) -> some Signal<Output, Problem> where Made.Value == Output, Made.Failure == Problem {
        DeferredSignal(make: make)
    }
}

@frozen
@usableFromInline
struct DeferredSignal<Made: Signal>: Signal {
    @usableFromInline typealias Value = Made.Value
    @usableFromInline typealias Failure = Made.Failure
    @usableFromInline let make: @Sendable () -> Made

    @inlinable
    init(make: @escaping @Sendable () -> Made) {
        self.make = make
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        make().subscribe(observer)
    }

    // Not read from a signal made for the purpose: making one may have effects.
    @usableFromInline static var chain: Chain { Made.chain.appending("deferred") }
    @usableFromInline var chain: Chain { Chain(source: "deferred") }
}
