/// The lifetime of an object, which others can observe: ReactiveCocoa's `rac_willDeallocSignal`.
///
/// ```swift
/// import Bus
///
/// final class Session: LifetimeOwner {
///     private let token = Lifetime.Token()
///     var lifetime: Lifetime { token.lifetime }
/// }
///
/// let session = Session()
/// let subscription = Signals.from(1...3).take(during: session.lifetime).subscribe(next: { print($0) })
/// ```
///
/// A lifetime may be kept and passed on; only its ``Token`` keeps it from ending.
public struct Lifetime: Sendable {
    /// Ends its lifetime when it is released. The observed object holds the only reference to it.
    public final class Token: Sendable {
        /// The lifetime that ends with this token. Whoever keeps it does not keep the token.
        public let lifetime = Lifetime()

        /// Begins a lifetime.
        public init() {}

        deinit {
            lifetime.core.terminate(.completed)
        }

        /// Ends the lifetime now.
        public func end() {
            lifetime.core.terminate(.completed)
        }
    }

    fileprivate let core = SerialObserver(Fanout<Never, Never>(), whilePaused: .pass)

    fileprivate init() {}

    /// Whether it is over.
    public var hasEnded: Bool { core.isClosing }

    /// Completes when the lifetime is over; when it is already, at once.
    ///
    /// ```
    /// the token    --------x
    /// ended        --------|
    /// late                   ^|
    /// ```
    ///
    /// - Ends: with the lifetime.
    /// - Fails: never.
    /// - Cancelling: releases the subscriber.
    /// - Thread: the one that releases the token.
    public var ended: some Signal<Never, Never> { LifetimeEnd(core: core) }
}

struct LifetimeEnd: Signal {
    typealias Value = Never
    typealias Failure = Never
    let core: SerialObserver<Fanout<Never, Never>>

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Never, Downstream.Failure == Never {
        core.attach(observer)
    }

    var chain: Chain { Chain(source: "lifetime") }
}

/// An object that exposes its lifetime, so that subscriptions made for it end with it, and not with the next event.
public protocol LifetimeOwner: AnyObject, Sendable {
    /// Over when the object is released.
    var lifetime: Lifetime { get }
}

extension Signal {
    /// The values until a lifetime is over, then completion.
    ///
    /// ```
    /// self         --1---2---3---4--|
    /// lifetime     -----------x
    /// take(during) --1---2----|
    /// ```
    ///
    /// When the lifetime is over already, the source is not subscribed to.
    ///
    /// - Ends: with the lifetime, or with the source; the source is released before.
    /// - Fails: with the source.
    /// - Cancelling: ends the subscription.
    /// - Buffers: nothing; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: the source's; the completion may come on the one that ended the lifetime.
    public consuming func take(during lifetime: Lifetime) -> some Signal<Value, Failure> {
        take(until: lifetime.ended)
    }
}
