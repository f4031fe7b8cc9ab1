/// Passes on the values after a number, and reports how many values between that number and the first are missing.
///
/// It stands in front of the subscriber's queue, so that losses of the queue are not counted twice.
@usableFromInline
struct LaterObserver<Downstream: Observer & ~Copyable, Payload: Sendable>: Observer, ~Copyable
where Downstream.Value == Envelope<Payload>, Downstream.Failure == Never {
    @usableFromInline typealias Value = Envelope<Payload>
    @usableFromInline typealias Failure = Never
    private var downstream: Downstream
    private let start: UInt64
    private var hasBegun = false

    @usableFromInline
    init(_ downstream: consuming Downstream, after start: UInt64) {
        self.downstream = downstream
        self.start = start
    }

    @usableFromInline
    mutating func next(_ value: Envelope<Payload>) -> Demand {
        guard value.sequence > start else { return downstream.demand }
        if !hasBegun {
            hasBegun = true
            let missing = value.sequence - start - 1
            if missing > 0 { downstream.lost(Int(clamping: missing)) }
        }
        return downstream.next(value)
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        // Before the first value, the difference of the numbers gives the loss.
        if hasBegun { downstream.lost(count) }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Never>) { downstream.terminate(termination) }

    @usableFromInline
    var demand: Demand { downstream.demand }

    @usableFromInline
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
