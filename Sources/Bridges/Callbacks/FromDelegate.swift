public import Bus

extension Signals {
    /// The calls of an object's delegate. Cold: every subscription makes a delegate of its own.
    ///
    /// ```
    /// delegate's methods --opened--read(1)--closed
    /// fromDelegate       --opened--read(1)--|
    /// ```
    ///
    /// The delegate is kept for as long as the subscription lasts, because objects usually do not keep their
    /// delegates. It sends any values through the emitter, from any thread, and may end the signal.
    ///
    /// ```swift
    /// import Bus
    /// import CallbackBridge
    ///
    /// protocol LineDelegate: AnyObject, Sendable {
    ///     func line(_ text: String)
    ///     func closed()
    /// }
    ///
    /// final class LineReader: @unchecked Sendable {
    ///     // Set before it is used by others.
    ///     weak var delegate: (any LineDelegate)?
    /// }
    ///
    /// final class LineEvents: LineDelegate {
    ///     let emitter: Emitter<String, Never>
    ///     init(_ emitter: Emitter<String, Never>) { self.emitter = emitter }
    ///     func line(_ text: String) { emitter.send(text) }
    ///     func closed() { emitter.complete() }
    /// }
    ///
    /// let reader = LineReader()
    /// let lines = Signals.fromDelegate(make: { LineEvents($0) }) { delegate in
    ///     reader.delegate = delegate
    /// } detach: { delegate in
    ///     if reader.delegate === delegate { reader.delegate = nil }
    /// }
    /// let subscription = lines.subscribe(next: { print($0) })
    /// reader.delegate?.line("one")
    /// subscription.dispose()
    /// ```
    ///
    /// An object has one delegate, so a second subscription takes the first one's place unless `attach` and `detach`
    /// prevent it; `share()` is for several listeners.
    ///
    /// - Ends: when the delegate says so, once it is detached.
    /// - Fails: likewise.
    /// - Cancelling: detaches the delegate, exactly once, and releases it. Calls during or after that are not heard.
    /// - Buffers: at most `limit` values, while the observer pauses or another thread delivers. The caller of the delegate is never
    ///   kept waiting.
    /// - Thread: the one that calls the delegate, or another that is calling it.
    ///
    /// - Parameters:
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already; by default the newest is lost and counted.
    ///   - make: makes the delegate, which may keep the emitter.
    ///   - attach: makes it the object's. It may be called from here on.
    ///   - detach: removes the delegate, if it is still attached. Also called when `attach` has already sent the end.
    public static func fromDelegate<Value: Sendable, Failure: Error, Delegate: AnyObject & Sendable>(
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        make: @escaping @Sendable (Emitter<Value, Failure>) -> Delegate,
        attach: @escaping @Sendable (Delegate) -> Void,
        detach: @escaping @Sendable (Delegate) -> Void
    ) -> some Signal<Value, Failure> {
        create(of: Value.self, failure: Failure.self, limit: limit, overflow: overflow) { emitter in
            guard emitter.demand != .stop else { return nil }
            let delegate = make(emitter)
            attach(delegate)
            return ActionDisposable { detach(delegate) }
        }
    }
}
