extension Signal {
    /// Subscribes with closures that run isolated to an actor.
    ///
    /// ```swift
    /// import Bus
    ///
    /// actor Inventory {
    ///     private(set) var units: Set<String> = []
    ///
    ///     func watch(_ names: some Signal<String, Never>) -> any Disposable {
    ///         names.subscribe(isolatedTo: self) { inventory, name in
    ///             inventory.units.insert(name)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The closures get the actor and may use its state without `await`; the compiler checks the isolation. Events
    /// come in order, one at a time, as many as have gathered in one visit to the actor: there is no task per event.
    /// Between the signal and the actor is a queue of at most `limit` values.
    ///
    /// For the main actor there is ``subscribeOnMain(limit:overflow:next:failed:completed:lost:fileID:line:)``.
    ///
    /// The subscription lasts until the signal ends or the returned handle is disposed of, and holds the actor for
    /// that time. The handle does not hold it, so the actor may keep the handle. After a disposal on the actor
    /// nothing is heard; from elsewhere, at most the event in flight.
    ///
    /// A slow actor slows the source: when the queue is full, the source is told to pause.
    ///
    /// - Parameters:
    ///   - actor: the actor that the closures are isolated to.
    ///   - limit: how many values may wait; at least one does. As many again may be under way.
    ///   - overflow: what happens to a value when the queue is full.
    ///   - next: called for each value.
    ///   - failed: called once if the signal fails.
    ///   - completed: called once if the signal completes.
    ///   - lost: called with the number of values dropped upstream, at the point in the sequence where they are
    ///     missing. Without it, they are counted in ``Subscriptions/unheardLosses``.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription.
    public func subscribe<Target: Actor>(
        isolatedTo actor: Target,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        next: @escaping @Sendable (isolated Target, Value) -> Void,
        failed: @escaping @Sendable (isolated Target, Failure) -> Void,
        completed: @escaping @Sendable (isolated Target) -> Void = { _ in },
        lost: @escaping @Sendable (isolated Target, _ count: Int) -> Void = { _, count in
            Subscriptions.countUnheardLoss(count)
        },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let scheduler = ActorScheduler(actor)
        let delivered = deliver(on: scheduler, limit: limit, overflow: overflow)
        return delivered.subscribe(
            IsolatedObserver(
                target: actor,
                onNext: next,
                onFailed: failed,
                onCompleted: completed,
                onLoss: lost,
                hold: ActorHold(scheduler: scheduler),
                lease: SubscriptionLease(delivered.chain, of: type(of: delivered), fileID: fileID, line: line)
            )
        )
    }
}

extension Signal where Failure == Never {
    /// Subscribes to a signal that cannot fail, with closures that run isolated to an actor. See
    /// ``subscribe(isolatedTo:limit:overflow:next:failed:completed:lost:fileID:line:)``.
    public func subscribe<Target: Actor>(
        isolatedTo actor: Target,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        next: @escaping @Sendable (isolated Target, Value) -> Void,
        completed: @escaping @Sendable (isolated Target) -> Void = { _ in },
        lost: @escaping @Sendable (isolated Target, _ count: Int) -> Void = { _, count in
            Subscriptions.countUnheardLoss(count)
        },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            isolatedTo: actor,
            limit: limit,
            overflow: overflow,
            next: next,
            failed: { _, _ in },
            completed: completed,
            lost: lost,
            fileID: fileID,
            line: line
        )
    }
}

/// Calls closures isolated to an actor, on which it is itself called.
struct IsolatedObserver<Target: Actor, Value: Sendable, Failure: Error>: Observer, ~Copyable {
    let target: Target
    let onNext: @Sendable (isolated Target, Value) -> Void
    let onFailed: @Sendable (isolated Target, Failure) -> Void
    let onCompleted: @Sendable (isolated Target) -> Void
    let onLoss: @Sendable (isolated Target, Int) -> Void
    let hold: ActorHold<Target>
    let lease: SubscriptionLease

    mutating func next(_ value: Value) -> Demand {
        target.assumeIsolated { onNext($0, value) }
        return .more
    }

    mutating func lost(_ count: Int) {
        target.assumeIsolated { onLoss($0, count) }
    }

    consuming func terminate(_ termination: Termination<Failure>) {
        let (onFailed, onCompleted) = (onFailed, onCompleted)
        target.assumeIsolated { target in
            switch termination {
            case .completed: onCompleted(target)
            case .failed(let failure): onFailed(target, failure)
            }
        }
    }

    var demand: Demand { .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { .more }
}

/// Keeps an actor alive in its scheduler for as long as the observer lives. The handle holds the scheduler, too, and
/// must not thereby hold the actor, which may be keeping the handle.
struct ActorHold<Target: Actor>: ~Copyable, Sendable {
    let scheduler: ActorScheduler<Target>

    deinit {
        scheduler.release()
    }
}
