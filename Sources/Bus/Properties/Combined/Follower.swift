/// What a property that follows a signal is: a value, and the subscription that sets it.
final class Follower<Value: Sendable>: Sendable {
    let core: CurrentValueCore<Value, Never>
    private let subscription = SerialDisposable()
    let chain: Chain

    init(_ value: Value, _ signal: some Signal<Value, Never>) {
        core = CurrentValueCore(value, limit: 65_536)
        chain = signal.chain.appending("property")
        subscription.set(signal.subscribe(CurrentValueWriter(core)))
    }

    deinit {
        subscription.dispose()
        core.terminate(.completed)
    }
}

/// The values of a follower. Each subscription keeps it going.
struct FollowerValues<Value: Sendable>: Signal {
    typealias Failure = Never
    let follower: Follower<Value>

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        follower.core.output.attach(KeepingObserver(observer, follower))
    }

    var chain: Chain { follower.chain }
}

/// Writes what a signal says. It does not keep alive whose value it is.
struct CurrentValueWriter<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    private let core: CurrentValueCore<Value, Never>
    /// Whether the value ends with the signal.
    private let isWhole: Bool

    init(_ core: CurrentValueCore<Value, Never>, endsWithSignal isWhole: Bool = true) {
        self.core = core
        self.isWhole = isWhole
    }

    mutating func next(_ value: Value) -> Demand {
        core.write(value)
        return demand
    }

    mutating func lost(_ count: Int) { core.output.lost(count) }

    consuming func terminate(_ termination: Termination<Never>) {
        if isWhole { core.terminate(termination) }
    }

    var demand: Demand { core.output.demand }
}
