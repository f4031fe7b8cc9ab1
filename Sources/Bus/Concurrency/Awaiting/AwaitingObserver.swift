/// Folds the events of a signal until there is an outcome for the waiting task.
struct AwaitingObserver<Value: Sendable, Failure: Error, Folded: Sendable>: Observer, ~Copyable {
    /// A signal's outcome: the fold of its values, and how it ended.
    typealias Outcome = Result<Folded, ReceiveError<Failure>>

    private var folded: Folded
    private let fold: @Sendable (inout Folded, Value) -> Demand
    private let awaited: Waiter<Outcome>
    private let lease: SubscriptionLease
    private let hold: LastCall

    init(
        _ initial: Folded,
        _ awaited: Waiter<Outcome>,
        lease: consuming SubscriptionLease,
        _ fold: @escaping @Sendable (inout Folded, Value) -> Demand
    ) {
        folded = initial
        self.fold = fold
        self.awaited = awaited
        self.lease = lease
        hold = LastCall { awaited.end(with: .failure(.abandoned)) }
    }

    mutating func next(_ value: Value) -> Demand {
        guard awaited.isOpen else { return .stop }
        return fold(&folded, value)
    }

    mutating func lost(_ count: Int) { awaited.end(with: .failure(.lost(count))) }

    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: awaited.end(with: .success(folded))
        case .failed(let failure): awaited.end(with: .failure(.failed(failure)))
        }
    }

    var demand: Demand { awaited.isOpen ? .more : .stop }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

extension Signal {
    /// Subscribes, and waits for the fold of all values until the end, or until `fold` wants no more.
    func awaited<Folded: Sendable>(
        _ initial: Folded,
        isolation actor: isolated (any Actor)?,
        fileID: StaticString,
        line: UInt,
        _ fold: @escaping @Sendable (inout Folded, Value) -> Demand
    ) async throws(ReceiveError<Failure>) -> Folded {
        let awaited = Waiter<Result<Folded, ReceiveError<Failure>>>()
        let subscription = SerialDisposable()
        let result = await awaited.outcome(ifCancelled: .failure(.cancelled), isolation: actor) {
            let lease = SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            subscription.set(subscribe(AwaitingObserver(initial, awaited, lease: lease, fold)))
            return { subscription.dispose() }
        }
        // After a loss the source still sends.
        subscription.dispose()
        return try result.get()
    }
}
