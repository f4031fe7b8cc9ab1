public import Bus

extension Signals {
    /// The calls of the closure in an object's property: `onChange`, `messageHandler`. Hot.
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
    /// All subscriptions to one property share one closure, which is set with the first of them. The previous closure
    /// is still called, first, and put back with the last. If other code sets a closure meanwhile, that one stays,
    /// and the chains are freed without an end. A closure that wraps ours and calls it is removed together with ours.
    ///
    /// - Ends: when the object is found dead by a new subscription, or at once if it is a `LifetimeOwner`. Otherwise an
    ///   object that dies frees the chain.
    /// - Fails: never.
    /// - Cancelling: the last subscription puts the previous closure back.
    /// - Buffers: at most `limit` values, while the observer pauses or another thread delivers. The caller of the closure is never
    ///   kept waiting.
    /// - Thread: the one that the object calls on, or another that is calling. The property is set on the thread that
    ///   subscribes or ends the subscription, so the object must be ready for that.
    ///
    /// - Parameters:
    ///   - object: the object with the property; not kept.
    ///   - keyPath: the property. For a closure of several arguments, use `Signals.fromCallback` with a closure of
    ///     your own that makes a tuple.
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already; by default the newest is lost and counted.
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
            // Only the closure keeps the link, so that both are freed with the object.
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
