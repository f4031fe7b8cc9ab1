public import Synchronization

/// One subscription to signals that all run at once: the state that they share.
@usableFromInline
final class FlattenMerging<Downstream: Observer & ~Copyable>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let inners = InnerHandles()
    /// Signals that have not completed, the one that sends them included.
    @usableFromInline let unfinished = Atomic<Int>(1)

    @usableFromInline
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
        output.resources.add(inners)
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func ended() {
        let isLast = unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
        if isLast || output.isClosing { output.terminate(.completed) }
    }
}

/// Hears the values that are to become signals.
@frozen
@usableFromInline
struct MergingOuterObserver<Value: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let merging: FlattenMerging<Downstream>
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let inners: InnerHandles
    @usableFromInline let transform: @Sendable (Value) -> Inner

    @inlinable
    init(_ merging: FlattenMerging<Downstream>, _ transform: @escaping @Sendable (Value) -> Inner) {
        self.merging = merging
        output = merging.output
        inners = merging.inners
        self.transform = transform
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if output.isClosing { return .stop }
        merging.unfinished.wrappingAdd(1, ordering: .relaxed)
        let key = inners.start()
        inners.started(key, transform(value).subscribe(MergingInnerObserver(merging, key)))
        return output.demand
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: merging.ended()
        case .failed: output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}

/// Hears one inner signal.
@frozen
@usableFromInline
struct MergingInnerObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let merging: FlattenMerging<Downstream>
    // Beside `merging`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let key: InnerHandles.Key

    @inlinable
    init(_ merging: FlattenMerging<Downstream>, _ key: InnerHandles.Key) {
        self.merging = merging
        output = merging.output
        self.key = key
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed:
            merging.inners.ended(key)
            merging.ended()
        case .failed: output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
