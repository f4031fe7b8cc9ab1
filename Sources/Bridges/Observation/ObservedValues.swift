public import Bus
public import Observation

extension Observable where Self: AnyObject & Sendable {
    /// A property's value at once and after every change, for an object of the main actor. Hot.
    ///
    /// ```
    /// model.count = …     2--------3--4------
    /// values(of: \.count) 2---------3--4-----
    /// ```
    ///
    /// ```swift
    /// import Bus
    /// import Observation
    /// import ObservationBridge
    ///
    /// @MainActor @Observable final class Model { var count = 2 }
    ///
    /// @MainActor func watch(_ model: Model) -> any Disposable {
    ///     model.values(of: \.count).subscribe(next: { print($0) })
    /// }
    /// ```
    ///
    /// Every change is heard, with the new value. `withObservationTracking`, in contrast, calls back before a
    /// property is set, once, and `Observations` combines changes in quick succession. Here the value is read after
    /// the code that changed it has given the main actor free; of several changes in one go each is heard, in order.
    /// Setting an `Equatable` property to an equal value is not heard (the macro does not report it).
    ///
    /// A computed property counts as changed when a property that it is computed from changes.
    ///
    /// - Ends: when the object dies, on the thread that releases it. It is not kept, except between a change and its
    ///   delivery. Observation reports nothing for a property that cannot change, such as a constant: its signal does
    ///   not end by itself.
    /// - Fails: never.
    /// - Cancelling: releases the subscriber. The object's registrar keeps one record for each property that was ever
    ///   listened to, until that changes.
    /// - Buffers: at most 1,024 values between a change and the next free moment, and at most `limit` while the
    ///   observer pauses or a callback runs; then the oldest is lost and counted, so that the last value is always
    ///   heard. With a limit of one, an observer that comes back from a pause hears only the present value.
    /// - Thread: the main actor's, where the first value comes in a moment, not during `subscribe`.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - limit: how many values may wait.
    @MainActor
    public func values<Value: Sendable>(
        of keyPath: KeyPath<Self, Value>,
        limit: Int = 1024
    ) -> some Signal<Value, Never> {
        ObservedSignal(
            target: ObservationTarget(object: self),
            // Made and used only on the main actor.
            keyPath: SharedKeyPath(keyPath: keyPath),
            scheduler: ObservationTrackers.mainActor,
            limit: limit
        )
    }

    /// A property's value at once and after every change, for an object that is changed on one scheduler: a thread's, a
    /// serial queue's. Hot.
    ///
    /// A change that another thread makes, beside the scheduler, may be read before it is done, and is then heard
    /// only with the next one. (Observation calls back only before a property is set.) State that several threads
    /// change is better kept in a `MutableProperty`. See ``values(of:limit:)``.
    ///
    /// - Parameters:
    ///   - keyPath: the property.
    ///   - scheduler: where the object is changed, read and heard. It runs one piece of work at a time, each in a pass of its
    ///     own; so no `ImmediateScheduler`, which would read inside the change.
    ///   - limit: how many values may wait.
    public func values<Value: Sendable>(
        of keyPath: any KeyPath<Self, Value> & Sendable,
        on scheduler: some Scheduler,
        limit: Int = 1024
    ) -> some Signal<Value, Never> {
        ObservedSignal(
            target: ObservationTarget(object: self),
            keyPath: SharedKeyPath(keyPath: keyPath),
            scheduler: scheduler,
            limit: limit
        )
    }
}

struct ObservationTarget<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
}

/// A key path that is used on one scheduler only.
struct SharedKeyPath<Object, Value>: @unchecked Sendable {
    // Key paths are immutable; one that is not Sendable reads state of the main actor, and is used there.
    let keyPath: KeyPath<Object, Value>
}

struct ObservedSignal<Object: Observable & AnyObject & Sendable, Value: Sendable>: Signal {
    typealias Failure = Never
    let target: ObservationTarget<Object>
    let keyPath: SharedKeyPath<Object, Value>
    let scheduler: any Scheduler
    let limit: Int

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        // The present value matters more than an earlier one.
        Signals.create(of: Value.self, limit: limit, overflow: .dropOldest) { [self] emitter in
            guard emitter.demand != .stop else { return nil }
            guard let object = target.object else {
                emitter.complete()
                return nil
            }
            let listener = ObservationListener(emitter)
            // Always in a pass of its own, in which nothing is half changed.
            scheduler.schedule { begin(listener, object) }
            return ActionDisposable { listener.stop() }
        }
        .subscribe(observer)
    }

    private func begin(_ listener: ObservationListener<Value>, _ object: Object) {
        guard !listener.isStopped else { return }
        ObservationTrackers.shared.add(listener, to: object, keyPath, on: scheduler)
    }

    var chain: Chain { Chain(source: "observed") }
}
