public import Bus

extension Signals {
    /// What an object calls the closure in one of its properties with: `onChange`, `messageHandler`. Hot.
    ///
    /// ```
    /// object.onChange(…)        --1---2---3--
    /// calls(of: object, at: …)  --1---2---3--
    /// ```
    ///
    /// ```swift
    /// import Bus
    /// import CallbackBridge
    ///
    /// final class Button: @unchecked Sendable {
    ///     // Only used by the main thread.
    ///     var onPress: (@Sendable (Int) -> Void)?
    /// }
    ///
    /// let button = Button()
    /// let subscription = Signals.calls(of: button, at: \.onPress).subscribe(next: { print($0) })
    /// button.onPress?(1)
    /// subscription.dispose()
    /// ```
    ///
    /// All subscriptions to one property share one closure, which is set with the first of them; what was there before is
    /// still called, first, and put back with the last. A closure that somebody sets meanwhile takes its place and stays:
    /// then the chains are freed, unheard of. One that is set around ours, calling it, goes when ours does.
    ///
    /// - Ends: when the object is found dead by a new subscription, or at once if it is a `LifetimeOwner`. Otherwise an
    ///   object that dies frees the chain.
    /// - Fails: never.
    /// - Cancelling: the last subscription puts back what was there before.
    /// - Buffers: at most `limit` values, while the observer pauses or another thread delivers. The caller of the closure is never
    ///   kept waiting.
    /// - Thread: the one that the object calls on, or another that is calling. The property is set on the thread that
    ///   subscribes or ends the subscription, so the object must be ready for that.
    ///
    /// - Parameters:
    ///   - object: whose closure it is; not kept.
    ///   - keyPath: the property. One of several arguments takes a tuple in a closure of your own, by
    ///     `Signals.fromCallback`.
    ///   - limit: how many values may wait.
    ///   - overflow: what becomes of a value that finds so many waiting; by default the newest is lost and counted.
    public static func calls<Object: AnyObject & Sendable, Value: Sendable>(
        of object: Object,
        at keyPath: any ReferenceWritableKeyPath<Object, (@Sendable (Value) -> Void)?> & Sendable,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause
    ) -> some Signal<Value, Never> {
        let target = CallTarget(object: object)
        let lifetime = (object as? any LifetimeOwner)?.lifetime
        return create(of: Value.self, limit: limit, overflow: overflow) { emitter in
            guard emitter.demand != .stop else { return nil }
            guard let object = target.object else {
                emitter.complete()
                return nil
            }
            let link = ClosureSlots.shared.join(object, keyPath)
            let parts = CompoundDisposable()
            parts.add(
                link.subject.subscribe(next: { emitter.send($0) }, lost: { emitter.sendLoss(of: $0) })
            )
            // The closure alone keeps the link, so that all goes with the object.
            parts.add(
                ActionDisposable { [weak link] in ClosureSlots.shared.leave(target.object, keyPath, link) }
            )
            if let lifetime { parts.add(lifetime.ended.subscribe(completed: { emitter.complete() })) }
            return parts
        }
    }
}

private struct CallTarget<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
}
