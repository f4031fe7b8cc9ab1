public import Synchronization

extension Signals {
    /// A signal made of callbacks. Cold: `body` runs once for every subscription, on the subscribing thread.
    ///
    /// ```
    /// emitter --next(1)--next(2)--completed
    /// create  --1--------2--------|
    /// ```
    ///
    /// - Ends: when told through the emitter, after the result of `body` is disposed of.
    /// - Fails: when told through the emitter, after the result of `body` is disposed of.
    /// - Cancelling: disposes of the result of `body`.
    /// - Buffers: at most `limit` values, while the observer pauses or another thread delivers.
    /// - Thread: the one that sends through the emitter, or another that is sending.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - failure: the type of the failure.
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already. In any case ``Emitter/send(_:)`` tells a body that
    ///     can pause when to do so. If the body sends all the same, values are lost, by default the newest first.
    ///   - body: starts the work, sends through the emitter, and returns a handle that stops the work. The handle is disposed
    ///     of once: when the signal ends, when nothing more is wanted, or when the subscription is disposed of; always before
    ///     the observer hears the end, so that an end sent while `body` still runs is delivered after it. A body that loops
    ///     looks at the answer of `send`. The handle should not capture the emitter.
    @inlinable
    public static func create<Value: Sendable, Failure: Error>(
        of type: Value.Type = Value.self,
        failure: Failure.Type,
        limit: Int = 1024,
        overflow: Overflow<Failure> = .pause,
        _ body: @escaping @Sendable (Emitter<Value, Failure>) -> (any Disposable)?
    ) -> some Signal<Value, Failure> {
        CreateSignal(limit: limit, overflow: overflow, body: body)
    }

    /// A signal made of callbacks that cannot fail. See ``create(of:failure:limit:overflow:_:)``.
    @inlinable
    public static func create<Value: Sendable>(
        of type: Value.Type = Value.self,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause,
        _ body: @escaping @Sendable (Emitter<Value, Never>) -> (any Disposable)?
    ) -> some Signal<Value, Never> {
        CreateSignal(limit: limit, overflow: overflow, body: body)
    }
}

@frozen
@usableFromInline
struct CreateSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline let body: @Sendable (Emitter<Value, Failure>) -> (any Disposable)?

    @inlinable
    init(
        limit: Int,
        overflow: Overflow<Failure>,
        body: @escaping @Sendable (Emitter<Value, Failure>) -> (any Disposable)?
    ) {
        self.limit = limit
        self.overflow = overflow
        self.body = body
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        CreateSubscription(observer, limit: limit, overflow: overflow).start(body)
    }

    @usableFromInline var chain: Chain { Chain(source: "create") }
}

/// One run of a `create` body. Owned by the emitter.
@usableFromInline
final class CreateSubscription<Downstream: Observer & ~Copyable>: Sendable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline
    enum Phase: Sendable {
        /// The body runs; an end waits until the body has returned the handle that must be disposed of first.
        case starting(end: Termination<Failure>?)
        case running
    }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let phase = Lock(Phase.starting(end: nil))
    /// Whether an end was sent. Set while the body still runs, too.
    @usableFromInline let hasEnded = Atomic<Bool>(false)

    @usableFromInline
    init(_ observer: consuming Downstream, limit: Int, overflow: Overflow<Failure>) {
        output = SerialObserver(observer, limit: limit, overflow: overflow, isStarting: true)
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func start(_ body: (Emitter<Value, Failure>) -> (any Disposable)?) -> any Disposable {
        let target = EmissionTarget<Value, Failure>(
            send: { self.next($0) },
            lose: { self.lost($0) },
            end: { self.terminate($0) },
            demand: { self.hasEnded.load(ordering: .relaxed) ? .stop : self.output.demand },
            wait: { self.output.whenReady($0) }
        )
        let emitter = Emitter(target)
        if let resource = body(emitter) { output.resources.add(resource) }
        let end = phase.withLock { phase -> Termination<Failure>? in
            if case .starting(let end?) = phase { return end }
            phase = .running
            return nil
        }
        output.started()
        // Until then another end would be a second one.
        if let end { output.terminate(end) }
        return output.handle
    }

    @inlinable
    func next(_ value: Value) -> Demand {
        guard !hasEnded.load(ordering: .relaxed) else { return .stop }
        let demand = output.next(value)
        if demand == .stop { terminate(.completed) }
        return demand
    }

    @usableFromInline
    func lost(_ count: Int) {
        if !hasEnded.load(ordering: .relaxed) { output.lost(count) }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        hasEnded.store(true, ordering: .relaxed)
        let isRunning = phase.withLock { phase -> Bool in
            guard case .starting(let end) = phase else { return true }
            if end == nil { phase = .starting(end: termination) }
            return false
        }
        if isRunning { output.terminate(termination) }
    }
}
