extension Signal {
    /// Subscribes with closures that are given an object, which the subscription does not keep alive.
    ///
    /// Replaces `[weak self]` and a `guard` at the beginning of each closure.
    ///
    /// ```
    /// self            --1---2---3---4--
    /// object          ------------x
    /// next            --1---2---3
    /// subscription    ---------------x    (a `LifetimeOwner`: where the object dies)
    /// ```
    ///
    /// The closures run where the signal sends, one at a time, while the object is alive; it is kept for the length
    /// of the call. Inside them, use the closure's argument: capturing the object itself keeps it alive.
    ///
    /// - Ends: with the source; when the object has died, with the next value, or, if the object is a ``LifetimeOwner``, at
    ///   once. Then nothing more is called.
    /// - Fails: with the source.
    /// - Cancelling: ends the subscription.
    ///
    /// - Parameters:
    ///   - object: given to the closures, and not kept.
    ///   - next: called for each value.
    ///   - failed: called once if the signal fails.
    ///   - completed: called once if the signal completes.
    ///   - lost: called with the number of values dropped upstream, at the point in the sequence where they are
    ///     missing. Without it, they are counted in ``Subscriptions/unheardLosses``.
    ///   - fileID: where the subscription is made, for ``Subscriptions``.
    ///   - line: the same.
    /// - Returns: the handle that ends the subscription.
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        next: @escaping @Sendable (Object, Value) -> Void,
        failed: @escaping @Sendable (Object, Failure) -> Void,
        completed: @escaping @Sendable (Object) -> Void = { _ in },
        lost: @escaping @Sendable (Object, _ count: Int) -> Void = { _, count in Subscriptions.countUnheardLoss(count)
        },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let object = WeakObject(object)
        let observer = ObjectObserver(
            object: object,
            onNext: next,
            onFailed: failed,
            onCompleted: completed,
            onLoss: lost,
            lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line)
        )
        return subscribe(observer, for: object)
    }
}

extension Signal where Failure == Never {
    /// Subscribes to a signal that cannot fail, with closures that are given an object, which the subscription does not keep
    /// alive. See ``subscribe(with:next:failed:completed:lost:fileID:line:)``.
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        next: @escaping @Sendable (Object, Value) -> Void = { _, _ in },
        completed: @escaping @Sendable (Object) -> Void = { _ in },
        lost: @escaping @Sendable (Object, _ count: Int) -> Void = { _, count in Subscriptions.countUnheardLoss(count)
        },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(
            with: object,
            next: next,
            failed: { _, _ in },
            completed: completed,
            lost: lost,
            fileID: fileID,
            line: line
        )
    }
}

struct ObjectObserver<Object: AnyObject & Sendable, Value: Sendable, Failure: Error>: Observer, ~Copyable {
    let object: WeakObject<Object>
    let onNext: @Sendable (Object, Value) -> Void
    let onFailed: @Sendable (Object, Failure) -> Void
    let onCompleted: @Sendable (Object) -> Void
    let onLoss: @Sendable (Object, Int) -> Void
    let lease: SubscriptionLease

    init(
        object: WeakObject<Object>,
        onNext: @escaping @Sendable (Object, Value) -> Void,
        onFailed: @escaping @Sendable (Object, Failure) -> Void,
        onCompleted: @escaping @Sendable (Object) -> Void,
        onLoss: @escaping @Sendable (Object, Int) -> Void,
        lease: consuming SubscriptionLease
    ) {
        self.object = object
        self.onNext = onNext
        self.onFailed = onFailed
        self.onCompleted = onCompleted
        self.onLoss = onLoss
        self.lease = lease
    }

    mutating func next(_ value: Value) -> Demand {
        guard let object = object.object else { return .stop }
        onNext(object, value)
        return .more
    }

    mutating func lost(_ count: Int) {
        if let object = object.object { onLoss(object, count) }
    }

    consuming func terminate(_ termination: Termination<Failure>) {
        guard let object = object.object else { return }
        switch termination {
        case .completed: onCompleted(object)
        case .failed(let failure): onFailed(object, failure)
        }
    }

    var demand: Demand { object.object == nil ? .stop : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { demand }
}
