public import Bus
public import Foundation

/// Observes a centre for each subscription.
@frozen
@usableFromInline
struct NotificationSignal<Value: Sendable>: Signal {
    @usableFromInline typealias Failure = Never
    @usableFromInline let center: NotificationCenter
    @usableFromInline let name: Notification.Name
    @usableFromInline let identity: WeakIdentity?
    @usableFromInline let lifetime: Lifetime?
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Never>
    @usableFromInline let extract: @Sendable (Notification) -> Value?

    @inlinable
    init(
        center: NotificationCenter,
        name: Notification.Name,
        object: AnyObject?,
        limit: Int,
        overflow: Overflow<Never>,
        extract: @escaping @Sendable (Notification) -> Value?
    ) {
        self.center = center
        self.name = name
        identity = object.map { WeakIdentity($0) }
        lifetime = (object as? any LifetimeOwner)?.lifetime
        self.limit = limit
        self.overflow = overflow
        self.extract = extract
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        Signals.create(of: Value.self, limit: limit, overflow: overflow) {
            [center, name, identity, lifetime, extract] emitter in
            // The address belongs to another object by now.
            guard identity?.isAlive ?? true else {
                emitter.complete()
                return nil
            }
            guard emitter.demand != .stop else { return nil }
            // Told by address, which the center takes from the object while it is there.
            let token = center.addObserver(forName: name, object: identity?.object, queue: nil) { notification in
                guard identity?.isAlive ?? true else { return emitter.complete() }
                if let value = extract(notification) { emitter.send(value) }
            }
            let registration = Registration(token, at: center)
            guard let lifetime else { return ActionDisposable { registration.end() } }
            let both = CompoundDisposable()
            both.add(ActionDisposable { registration.end() })
            both.add(lifetime.ended.subscribe(completed: { emitter.complete() }))
            return both
        }
        .subscribe(observer)
    }

    @usableFromInline var chain: Chain { Chain(source: "notifications(\(name.rawValue))") }
}
