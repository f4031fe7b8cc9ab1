/// What a join of a pack does, apart from its types, which closures know.
///
/// It is no generic type, so that what puts the inputs in order is compiled for it once.
struct PackMachine: Observer, ~Copyable {
    /// Sends the tuple that is in place.
    let emit: @Sendable () -> Demand
    let currentDemand: @Sendable () -> Demand
    let onLoss: @Sendable (Int) -> Void
    let onEnd: @Sendable () -> Void
    /// Inputs that have not ended.
    var running: Int
    /// Inputs of which there is no value.
    var missing: Int

    /// Over what is below. `Value` is the tuple: generic over the pack itself, it would look types up at every event.
    init<Value, Failure>(
        _ downstream: consuming AnyObserver<Value, Failure>,
        inputs: Int,
        memory: TupleMemory,
        failure: PackFailure<Failure>
    ) {
        let (next, terminate) = (downstream.onNext, downstream.onTermination)
        emit = { memory.send(to: next) }
        currentDemand = downstream.currentDemand
        onLoss = downstream.onLoss
        onEnd = { terminate(failure.termination) }
        running = inputs
        missing = inputs
    }

    mutating func next(_ value: Void) -> Demand { missing == 0 ? emit() : currentDemand() }

    mutating func lost(_ count: Int) { onLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) { onEnd() }

    var demand: Demand { currentDemand() }
}

typealias PackOutput = SerialObserver<PackMachine>

extension AnyObserver {
    /// An observer that is nothing but closures.
    init(
        next: @escaping @Sendable (Value) -> Demand,
        lost: @escaping @Sendable (Int) -> Void,
        terminate: @escaping @Sendable (Termination<Failure>) -> Void,
        demand: @escaping @Sendable () -> Demand
    ) {
        onNext = next
        onLoss = lost
        onTermination = terminate
        currentDemand = demand
    }
}
