/// Something that a subscription holds until its end.
@usableFromInline
protocol ReleasedAtEnd: Sendable, ~Copyable {
    /// Called before the end is heard.
    consuming func release()
}

/// Keeps an object alive until the end.
@frozen
@usableFromInline
struct KeptAlive: ReleasedAtEnd, ~Copyable {
    @usableFromInline let object: any AnyObject & Sendable

    @inlinable
    init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    @inlinable
    consuming func release() {}
}

/// Passes everything on, and releases what it holds before the end is heard: by then, what nobody else holds is gone.
@frozen
@usableFromInline
struct ReleasingObserver<Held: ReleasedAtEnd & ~Copyable, Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var downstream: Downstream
    @usableFromInline let held: Held

    @inlinable
    init(_ downstream: consuming Downstream, holding held: consuming Held) {
        self.downstream = downstream
        self.held = held
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        held.release()
        downstream.terminate(termination)
    }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
