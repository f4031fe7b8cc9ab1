/// One of two signals with the same value and failure, so that both can stand in one place without being erased.
@frozen
@usableFromInline
enum EitherSignal<First: Signal, Second: Signal>: Signal
where First.Value == Second.Value, First.Failure == Second.Failure {
    @usableFromInline typealias Value = First.Value
    @usableFromInline typealias Failure = First.Failure

    case first(First)
    case second(Second)

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        switch self {
        case .first(let signal): signal.subscribe(observer)
        case .second(let signal): signal.subscribe(observer)
        }
    }

    @usableFromInline static var chain: Chain { Chain(joining: [First.chain, Second.chain], by: "either") }
    @usableFromInline var chain: Chain {
        switch self {
        case .first(let signal): signal.chain
        case .second(let signal): signal.chain
        }
    }
}

/// Two signals, one after the other, without an array.
@frozen
@usableFromInline
struct SignalPair<First: Signal, Second: Signal>: Sequence, Sendable
where First.Value == Second.Value, First.Failure == Second.Failure {
    @usableFromInline typealias Element = EitherSignal<First, Second>
    @usableFromInline let first: First
    @usableFromInline let second: Second

    @inlinable
    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Releases each signal as it hands it out, as ``Draining`` does.
    @frozen
    @usableFromInline
    struct Iterator: IteratorProtocol {
        @usableFromInline var first: First?
        @usableFromInline var second: Second?

        @inlinable
        init(first: First, second: Second) {
            self.first = first
            self.second = second
        }

        @inlinable
        mutating func next() -> Element? {
            if let first = first.take() { return .first(first) }
            return second.take().map { .second($0) }
        }
    }

    @inlinable
    func makeIterator() -> Iterator { Iterator(first: first, second: second) }
}
