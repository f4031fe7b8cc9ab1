public import Synchronization

/// One subscription to a `merge`: the state that all its inputs share.
@usableFromInline
final class MergeSubscription<Downstream: Observer & ~Copyable>: Sendable {
    @usableFromInline let output: SerialObserver<Downstream>
    /// Inputs that have not completed, and one more while inputs are still being subscribed to.
    @usableFromInline let unfinished = Atomic<Int>(1)

    @usableFromInline
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }

    @usableFromInline
    func inputStarts() {
        unfinished.wrappingAdd(1, ordering: .relaxed)
    }

    @usableFromInline
    func inputEnded() {
        let isLast = unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
        if isLast || output.isClosing { output.terminate(.completed) }
    }
}

@frozen
@usableFromInline
struct MergeObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let merge: MergeSubscription<Downstream>
    // Beside `merge`, which has it too: reached through another object it would be retained for every value.
    @usableFromInline let output: SerialObserver<Downstream>

    @inlinable
    init(_ merge: MergeSubscription<Downstream>) {
        self.merge = merge
        output = merge.output
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { output.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: merge.inputEnded()
        case .failed: output.terminate(termination)
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
