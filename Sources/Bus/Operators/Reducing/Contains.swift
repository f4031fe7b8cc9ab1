extension Signal {
    /// Whether any value passes a test.
    ///
    /// ```
    /// self                --1---2---3--|
    /// contains { $0 > 1 } ------true|
    /// contains { $0 > 9 } -------------false|
    /// ```
    ///
    /// - Ends: with the first value that passes, once the source is released, after `true`; else with the source, after
    ///   `false`.
    /// - Fails: with the source, undecided. (ReactiveCocoa's `any:` said `NO` instead.)
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func contains(
        where predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Bool, Failure> {
        transduced(by: Deciding(settles: predicate, question: .containsMatch))
    }
}

extension Signal where Value: Equatable {
    /// Whether any value equals `element`. See ``Signal/contains(where:)``.
    @inlinable
    @inline(__always)
    public consuming func contains(_ element: Value) -> some Signal<Bool, Failure> {
        transduced(by: Deciding(settles: { $0 == element }, question: .contains))
    }
}

/// Answers a question that one value may decide and that the end decides otherwise.
@frozen
@usableFromInline
struct Deciding<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @frozen
    @usableFromInline
    enum Question: String, Sendable {
        case contains
        case containsMatch = "contains(where:)"
        case allSatisfy

        @inlinable
        var answerWhenSettled: Bool { self != .allSatisfy }
    }

    @usableFromInline typealias Output = Bool
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let settles: @Sendable (Input) -> Bool
    @usableFromInline let question: Question
    @usableFromInline var isSettled = false

    @inlinable
    init(settles: @escaping @Sendable (Input) -> Bool, question: Question) {
        self.settles = settles
        self.question = question
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard !isSettled else { return .stop }
        guard settles(value) else { return downstream.demand }
        isSettled = true
        _ = downstream.next(question.answerWhenSettled)
        return .stop
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if isSettled {
            downstream.terminate(.completed)
        } else {
            downstream.finish(termination, with: !question.answerWhenSettled)
        }
    }

    @inlinable
    var demand: Demand { isSettled ? .stop : .more }

    @usableFromInline static var name: String { "contains or allSatisfy" }
    @usableFromInline var name: String { question.rawValue }
}

extension Signal {
    /// Whether every value passes a test.
    ///
    /// ```
    /// self                  --1---2---3--|
    /// allSatisfy { $0 < 9 } -------------true|
    /// allSatisfy { $0 < 2 } ------false|
    /// ```
    ///
    /// Without values it is true.
    ///
    /// - Ends: with the first value that does not pass, once the source is released, after `false`; else with the
    ///   source, after `true`.
    /// - Fails: with the source, undecided. (ReactiveCocoa's `all:` said `NO` instead.)
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter predicate: the test.
    @inlinable
    @inline(__always)
    public consuming func allSatisfy(
        _ predicate: @escaping @Sendable (Value) -> Bool
    ) -> some Signal<Bool, Failure> {
        transduced(by: Deciding(settles: { !predicate($0) }, question: .allSatisfy))
    }
}
