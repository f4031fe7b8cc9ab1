/// Why a signal did not have exactly one value.
public enum SingleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// It completed without one.
    case noValue
    /// It sent a second one.
    case severalValues

    public var description: String {
        switch self {
        case .noValue: "one value was expected and the signal completed without any"
        case .severalValues: "one value was expected and the signal sent a second one"
        }
    }
}

extension Signal {
    /// The only value, sent at the end; nothing when there are none or several.
    ///
    /// ```
    /// self     --1-------|
    /// single() ----------1|
    ///
    /// self     --1---2---
    /// single() ------|
    /// ```
    ///
    /// ReactiveSwift's reading, without its blocking. RxSwift fails when there is not exactly one, as
    /// ``Signal/single(orFail:)`` does.
    ///
    /// - Ends: with the source, after the value; with the second value, once the source is released.
    /// - Fails: with the source; no value is sent then.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: one value.
    @inlinable
    @inline(__always)
    public consuming func single() -> some Signal<Value, Failure> {
        transduced(by: TakingSingle(makeFailure: nil))
    }

    /// The only value, sent at the end; a failure when there are none or several.
    ///
    /// ```
    /// self               --1---2---
    /// single(orFail: …)  ------x
    /// ```
    ///
    /// - Ends: with the source, after the value.
    /// - Fails: with the source; with the second value, once the source is released; when the source completes without
    ///   a value.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: one value.
    ///
    /// - Parameter makeFailure: makes the failure from the mismatch.
    @inlinable
    @inline(__always)
    public consuming func single(
        orFail makeFailure: @escaping @Sendable (SingleError) -> Failure
    ) -> some Signal<Value, Failure> {
        transduced(by: TakingSingle(makeFailure: makeFailure))
    }
}

@frozen
@usableFromInline
struct TakingSingle<Input: Sendable, InputFailure: Error>: FlushingTransducer {
    @usableFromInline typealias Output = Input
    @usableFromInline typealias Failure = InputFailure
    @usableFromInline let makeFailure: (@Sendable (SingleError) -> InputFailure)?
    @usableFromInline var value: Input?
    @usableFromInline var hasSeveral = false

    @inlinable
    init(makeFailure: (@Sendable (SingleError) -> InputFailure)?) {
        self.makeFailure = makeFailure
    }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard self.value == nil else {
            hasSeveral = true
            return .stop
        }
        self.value = value
        return downstream.demand
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if hasSeveral {
            downstream.terminate(mismatch(.severalValues))
        } else if case .completed = termination, value == nil, downstream.demand == .more {
            downstream.terminate(mismatch(.noValue))
        } else {
            downstream.finish(termination, with: value)
        }
    }

    @usableFromInline
    func mismatch(_ mismatch: SingleError) -> Termination<InputFailure> {
        guard let makeFailure else { return .completed }
        return .failed(makeFailure(mismatch))
    }

    @inlinable
    var demand: Demand { hasSeveral ? .stop : .more }

    @usableFromInline static var name: String { "single" }
}
