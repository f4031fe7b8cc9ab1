/// The downstream of a join of a pack, without its types, which closures know.
///
/// It is not generic, so that the code that joins the inputs and puts them in order is compiled for it once.
struct PackDownstream: Observer, ~Copyable {
    /// Sends the tuple that is in place.
    let emit: @Sendable () -> Demand
    let currentDemand: @Sendable () -> Demand
    let onWait: @Sendable (@escaping @Sendable () -> Void) -> Demand
    let onLoss: @Sendable (Int) -> Void
    let onEnd: @Sendable () -> Void

    /// Wraps a downstream. `Value` is the tuple: generic over the pack itself, it would look types up at every event.
    init<Value, Failure>(
        _ observer: consuming AnyObserver<Value, Failure>,
        memory: TupleMemory,
        keepsTuple: Bool,
        failure: PackFailure<Failure>
    ) {
        let (next, terminate) = (observer.onNext, observer.onTermination)
        if keepsTuple {
            emit = { memory.send(to: next) }
        } else {
            emit = { memory.move(to: next) }
        }
        currentDemand = observer.currentDemand
        onWait = observer.onWait
        onLoss = observer.onLoss
        onEnd = { terminate(failure.termination) }
    }

    mutating func next(_ value: Void) -> Demand { emit() }

    mutating func lost(_ count: Int) { onLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) { onEnd() }

    var demand: Demand { currentDemand() }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { onWait(resume) }
}

extension AnyObserver {
    /// An observer made of closures only.
    init(
        next: @escaping @Sendable (Value) -> Demand,
        lost: @escaping @Sendable (Int) -> Void,
        terminate: @escaping @Sendable (Termination<Failure>) -> Void,
        demand: @escaping @Sendable () -> Demand,
        wait: @escaping @Sendable (@escaping @Sendable () -> Void) -> Demand
    ) {
        onNext = next
        onLoss = lost
        onTermination = terminate
        currentDemand = demand
        onWait = wait
    }
}
