extension Signal {
    /// The value at a place counted from zero, then completion.
    ///
    /// ```
    /// self           --a---b---c--|
    /// element(at: 1) ------b|
    /// ```
    ///
    /// When there are not that many values, nothing is sent: Combine's `output(at:)`. (RxSwift fails then.) A place
    /// before the first is never reached, so the source is not subscribed to.
    ///
    /// - Ends: with the value, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter index: how many values come before the wanted one.
    @inlinable
    @inline(__always)
    public consuming func element(at index: Int) -> some Signal<Value, Failure> {
        transduced(by: TakingElement(remaining: index))
    }
}

@frozen
@usableFromInline
struct TakingElement<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    /// How many values come before the wanted one; negative once it has been sent.
    @usableFromInline var remaining: Int

    @inlinable
    init(remaining: Int) {
        self.remaining = remaining
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard remaining >= 0 else { return .stop }
        remaining -= 1
        guard remaining < 0 else { return downstream.demand }
        _ = downstream.next(value)
        return .stop
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.terminate(remaining < 0 ? .completed : termination)
    }

    @inlinable
    var demand: Demand { remaining < 0 ? .stop : .more }

    @usableFromInline static var name: String { "element(at:)" }
    @usableFromInline var name: String { remaining == 0 ? "first" : "element(at: \(remaining))" }
}
