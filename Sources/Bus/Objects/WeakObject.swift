/// A user's object that is not to be kept alive.
@usableFromInline
struct WeakObject<Object: AnyObject & Sendable>: Sendable {
    @usableFromInline weak let object: Object?

    @usableFromInline
    init(_ object: Object) {
        self.object = object
    }

    /// The object's lifetime, if it exposes one.
    @usableFromInline var lifetime: Lifetime? { (object as? any LifetimeOwner)?.lifetime }
}

extension Signal {
    /// Subscribes an observer that exists for an object, until the object dies if the object exposes its lifetime.
    @usableFromInline
    func subscribe<Object: AnyObject & Sendable, Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream,
        for object: WeakObject<Object>
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        if let lifetime = object.lifetime {
            take(during: lifetime).subscribe(observer)
        } else {
            subscribe(observer)
        }
    }
}
