extension Signals {
    /// The results of calling a method with the latest values of several signals: ReactiveCocoa's `rac_liftSelector:`.
    ///
    /// ```
    /// a             --1-----2--------|
    /// b             ----x------y--|
    /// calls         ----1x--2x-2y
    /// lift          ----r---s--t-----|
    /// ```
    ///
    /// It begins at once, listeners or none: the object's method is called when each signal has sent a value, and
    /// then whenever one of them sends. A subscriber hears the last result first. The calls go on for as long as the
    /// returned signal, a copy of it or a subscription to it is kept (ReactiveCocoa's went on for good). The object
    /// is not kept.
    ///
    /// - Ends: when all of the signals have, or one did without a value; when the object has died, with the next call there
    ///   would be, or, if the object is a ``LifetimeOwner``, at once.
    /// - Fails: with the first failure of any.
    /// - Cancelling: ends one subscription.
    /// - Buffers: the last result; for values that wait while another event is being delivered, see
    ///   `combineLatest(_:)`.
    /// - Thread: the method is called where a signal sends.
    ///
    /// - Parameters:
    ///   - signals: where the arguments come from.
    ///   - object: whose method it is; not kept.
    ///   - method: called with the object and one value of each signal.
    public static func lift<each Argument: Sendable, Failure: Error, Object: AnyObject & Sendable, Result: Sendable>(
        _ signals: repeat any Signal<each Argument, Failure>,
        onWeak object: Object,
        _ method: @escaping @Sendable (Object, repeat each Argument) -> Result
    ) -> AnySignal<Result, Failure> {
        let weak = WeakObject(object)
        let calls = Signals.combineLatest(repeat each signals).transduced(
            by: WeakCalling<repeat each Argument, Object, Result, Failure>(object: weak, method: method)
        )
        if let lifetime = weak.lifetime {
            return AnySignal(calls.take(during: lifetime).replayLast())
        } else {
            return AnySignal(calls.replayLast())
        }
    }
}

/// Calls a closure with an object, while the object is alive.
struct WeakCalling<each Argument: Sendable, Object: AnyObject & Sendable, Output: Sendable, InputFailure: Error>:
    Transducer
{
    typealias Input = (repeat each Argument)
    typealias Failure = InputFailure
    let object: WeakObject<Object>
    let method: @Sendable (Object, repeat each Argument) -> Output

    mutating func next<Downstream: Observer & ~Copyable>(
        _ arguments: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard let object = object.object else { return .stop }
        return downstream.next(method(object, repeat each arguments))
    }

    var demand: Demand { object.object == nil ? .stop : .more }

    static var name: String { "lift" }
}
