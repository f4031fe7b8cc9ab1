import Bus

/// The object in the posted notifications, which is not kept, or none.
struct Poster: Sendable {
    weak let object: (any AnyObject & Sendable)?
    private let isNobody: Bool
    let lifetime: Lifetime?

    init(_ object: (any AnyObject & Sendable)?) {
        self.object = object
        isNobody = object == nil
        lifetime = (object as? any LifetimeOwner)?.lifetime
    }

    /// Whether the object is gone, so that nothing can be posted for it.
    var isGone: Bool { !isNobody && object == nil }
}

/// Posts the values that it hears.
struct PostingObserver<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    private let lease: SubscriptionLease
    private let poster: Poster
    private let post: @Sendable (Value, (any AnyObject & Sendable)?) -> Void

    init(
        lease: consuming SubscriptionLease,
        poster: Poster,
        _ post: @escaping @Sendable (Value, (any AnyObject & Sendable)?) -> Void
    ) {
        self.lease = lease
        self.poster = poster
        self.post = post
    }

    mutating func next(_ value: Value) -> Demand {
        let object = poster.object
        // If it died between two looks, the value would otherwise be posted without an object.
        guard object != nil || !poster.isGone else { return .stop }
        post(value, object)
        return demand
    }

    mutating func lost(_ count: Int) { Subscriptions.countUnheardLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) {}

    var demand: Demand { poster.isGone ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}

extension Signal where Failure == Never {
    func subscribe(
        _ observer: consuming PostingObserver<Value>,
        endingWith lifetime: Lifetime?
    ) -> any Disposable {
        if let lifetime { take(during: lifetime).subscribe(observer) } else { subscribe(observer) }
    }
}
