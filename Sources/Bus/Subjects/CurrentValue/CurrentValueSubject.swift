/// A subject that has a value: a subscriber hears the present value and then the later ones.
///
/// ```
/// initial 0   send --1---2-----3--|
/// early       0----1---2-----3--|
/// late                   ^2--3--|
/// ```
///
/// The present value and the values that follow it are decided in one step, so none is missed or heard twice. ``value`` is
/// the value sent last, also while its event still waits for its turn. ``MutableProperty`` is the same without an end of its
/// own, and can be modified.
///
/// - Ends: when told. A later subscriber hears the end and no value. (As in RxSwift and Combine; ReactiveCocoa's
///   behaviour subject still sent the value, and no end.)
/// - Fails: when told.
/// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
/// - Buffers: the present value; and at most `limit` values while another is being delivered. When that queue is full, the
///   newest value replaces the one before it, so that the last one is always heard; the subscribers are told how many are
///   missing, and ``lost`` counts them.
/// - Thread: the present value is heard during `subscribe`, on its thread, unless another event is being delivered: then
///   after that one and on its thread. Otherwise as with ``Subject``.
///
/// Dropping the subject frees its subscribers' chains. They hear no end.
public final class CurrentValueSubject<Value: Sendable, Failure: Error>: SubjectProtocol {
    @usableFromInline let core: CurrentValueCore<Value, Failure>

    /// - Parameters:
    ///   - value: the first value.
    ///   - failure: the type of the failure; `Never`, unless told.
    ///   - limit: how many values may wait while another is being delivered.
    @inlinable
    public init(_ value: Value, failure: Failure.Type = Never.self, limit: Int = 65_536) {
        core = CurrentValueCore(value, limit: limit)
    }

    /// The value that was sent last. Setting it sends it.
    @inlinable
    public var value: Value {
        get { core.value }
        set { core.write(newValue) }
    }

    @inlinable
    public func send(_ value: Value) {
        core.write(value)
    }

    @inlinable
    public func sendLoss(of count: Int) {
        core.output.lost(count)
    }

    public func complete() {
        core.terminate(.completed)
    }

    public func fail(_ failure: Failure) {
        core.terminate(.failed(failure))
    }

    @inlinable
    public var demand: Demand { core.output.demand }

    public func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { core.output.whenReady(resume) }

    /// How many values were not heard because `limit` of them were waiting.
    public var lost: Int { core.lost }

    @inlinable
    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        core.output.attach(observer)
    }
}
