/// One event that a task waits for: an outcome that is set once, or a cancellation, whichever comes first.
///
/// The waiting task is resumed once; everything later is ignored.
final class Awaited<Outcome: Sendable>: Sendable {
    private enum State: Sendable {
        case nothing
        case waiting(CheckedContinuation<Outcome, Never>)
        case said(Outcome)
        case over
    }

    private let state = Lock(State.nothing)

    /// Whether an outcome would still make a difference.
    var isOpen: Bool {
        state.withLock { state in
            switch state {
            case .nothing, .waiting: true
            case .said, .over: false
            }
        }
    }

    func say(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            switch state {
            case .nothing:
                state = .said(outcome)
                return nil
            case .waiting(let waiter):
                state = .over
                return waiter
            case .said, .over:
                return nil
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Returns the outcome, as soon as there is one. Called once.
    func outcome(isolation actor: isolated (any Actor)?) async -> Outcome {
        await withCheckedContinuation { continuation in
            let said = state.withLock { state -> Outcome? in
                if case .said(let outcome) = state {
                    state = .over
                    return outcome
                }
                state = .waiting(continuation)
                return nil
            }
            if let said { continuation.resume(returning: said) }
        }
    }
}

/// Folds the events of a signal until there is an outcome for the waiting task.
struct AwaitingObserver<Value: Sendable, Failure: Error, Folded: Sendable>: Observer, ~Copyable {
    /// A signal's outcome: the fold of its values, and how it ended.
    typealias Outcome = Result<Folded, ReceiveError<Failure>>

    private var folded: Folded
    private let fold: @Sendable (inout Folded, Value) -> Demand
    private let awaited: Awaited<Outcome>
    private let lease: SubscriptionLease
    private let hold: LastCall

    init(
        _ initial: Folded,
        _ awaited: Awaited<Outcome>,
        lease: consuming SubscriptionLease,
        hold: LastCall,
        _ fold: @escaping @Sendable (inout Folded, Value) -> Demand
    ) {
        folded = initial
        self.fold = fold
        self.awaited = awaited
        self.lease = lease
        self.hold = hold
    }

    mutating func next(_ value: Value) -> Demand {
        guard awaited.isOpen else { return .stop }
        return fold(&folded, value)
    }

    mutating func lost(_ count: Int) { awaited.say(.failure(.lost(count))) }

    consuming func terminate(_ termination: Termination<Failure>) {
        switch termination {
        case .completed: awaited.say(.success(folded))
        case .failed(let failure): awaited.say(.failure(.failed(failure)))
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
        let awaited = Awaited<Result<Folded, ReceiveError<Failure>>>()
        let subscription = SerialDisposable()
        let result = await withTaskCancellationHandler {
            // Inside the handler, so that a source that delivers while being subscribed to can be cancelled.
            let lease = SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
            subscription.set(
                subscribe(
                    AwaitingObserver<Value, Failure, Folded>(
                        initial,
                        awaited,
                        lease: lease,
                        hold: LastCall { awaited.say(.failure(.abandoned)) },
                        fold
                    )
                )
            )
            let outcome = await awaited.outcome(isolation: actor)
            // After a loss the source still sends.
            subscription.dispose()
            return outcome
        } onCancel: {
            // First, because the disposal drops the observer, which says that the source is gone.
            awaited.say(.failure(.cancelled))
            subscription.dispose()
        }
        return try result.get()
    }
}
