/// The subscription of a value that follows a signal. It lasts as long as anything refers to it: the property, its
/// copies, its signals, and every subscription to them.
///
/// It does not hold the value, whose subscribers hold it.
final class Following: Sendable {
    private let subscription = SerialDisposable()

    init<Value>(_ signal: some Signal<Value, Never>, into core: CurrentValueCore<Value, Never>) {
        subscription.set(signal.subscribe(CurrentValueWriter(core)))
    }

    deinit {
        subscription.dispose()
    }
}

/// The values of a property that follows a signal. Each subscription keeps it going.
struct FollowedValues<Value: Sendable>: Signal {
    typealias Failure = Never
    let core: CurrentValueCore<Value, Never>
    let following: Following
    let chain: Chain

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        core.output.attach(KeepingObserver(observer, following))
    }
}
