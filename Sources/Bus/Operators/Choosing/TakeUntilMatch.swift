extension Signal {
    /// The values before the first that passes a test, then completion.
    ///
    /// ```
    /// self                                       --1---2---3---4--|
    /// take(until: { $0 == 3 })                      --1---2---|
    /// take(until: { $0 == 3 }, includingMatch: true) --1---2---3|
    /// ```
    ///
    /// Unless told otherwise, the value that passes is not sent: ReactiveCocoa's and RxSwift's reading. ReactiveSwift
    /// sends it.
    ///
    /// - Ends: with the first value that passes, once the source is released; else with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameters:
    ///   - predicate: the test.
    ///   - includingMatch: whether the value that passes is sent too.
    @inlinable
    @inline(__always)
    public consuming func take(
        until predicate: @escaping @Sendable (Value) -> Bool,
        includingMatch: Bool = false
    ) -> some Signal<Value, Failure> {
        transduced(by: TakingUntilMatch(predicate: predicate, includingMatch: includingMatch))
    }
}

@frozen
@usableFromInline
struct TakingUntilMatch<Input: Sendable, InputFailure: Error>: Transducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let predicate: @Sendable (Input) -> Bool
    @usableFromInline let includingMatch: Bool
    @usableFromInline var isOver = false

    @inlinable
    init(predicate: @escaping @Sendable (Input) -> Bool, includingMatch: Bool) {
        self.predicate = predicate
        self.includingMatch = includingMatch
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard !isOver else { return .stop }
        guard predicate(value) else { return downstream.next(value) }
        isOver = true
        if includingMatch { _ = downstream.next(value) }
        return .stop
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        downstream.terminate(isOver ? .completed : termination)
    }

    @inlinable
    var demand: Demand { isOver ? .stop : .more }

    @usableFromInline static var name: String { "take(until:)" }
    @usableFromInline var name: String { includingMatch ? "take(until:includingMatch:)" : "take(until:)" }
}
