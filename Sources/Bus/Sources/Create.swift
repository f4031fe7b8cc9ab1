extension Signals {
    /// A signal made of callbacks. Cold: `body` runs once for every subscription, on the subscribing thread.
    ///
    /// ```
    /// emitter --next(1)--next(2)--completed
    /// create  --1--------2--------|
    /// ```
    ///
    /// - Ends: when told through the emitter, once what `body` returned is disposed of.
    /// - Fails: when told through the emitter, likewise.
    /// - Cancelling: disposes of what `body` returned.
    /// - Buffers: while one thread delivers, at most 1,024 values of others; then they wait.
    /// - Thread: the one that sends through the emitter, or another that is sending.
    ///
    /// - Parameters:
    ///   - type: what is sent.
    ///   - failure: what it may fail with.
    ///   - body: starts the work, sending through the emitter, and returns how to stop it. What it returns is
    ///     disposed of once: when the signal ends, when nothing more is wanted, or when the subscription is disposed
    ///     of; always before the observer hears the end, so that an end sent while `body` still runs is delivered after
    ///     it. A body that loops looks at what `next` answers. What it returns should not capture the emitter.
    @inlinable
    public static func create<Value: Sendable, Failure: Error>(
        of type: Value.Type = Value.self,
        failure: Failure.Type,
        _ body: @escaping @Sendable (Emitter<Value, Failure>) -> (any Disposable)?
    ) -> some Signal<Value, Failure> {
        CreateSignal(body: body)
    }

    /// A signal made of callbacks that cannot fail. See ``create(of:failure:_:)``.
    @inlinable
    public static func create<Value: Sendable>(
        of type: Value.Type = Value.self,
        _ body: @escaping @Sendable (Emitter<Value, Never>) -> (any Disposable)?
    ) -> some Signal<Value, Never> {
        CreateSignal(body: body)
    }
}

@frozen
@usableFromInline
struct CreateSignal<Value: Sendable, Failure: Error>: Signal {
    @usableFromInline let body: @Sendable (Emitter<Value, Failure>) -> (any Disposable)?

    @inlinable
    init(body: @escaping @Sendable (Emitter<Value, Failure>) -> (any Disposable)?) {
        self.body = body
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let subscription = CreateSubscription(SerialObserver(observer))
        return subscription.start(body)
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
        /// The body runs; an end waits until it has returned what must be released first.
        case starting(end: Termination<Failure>?)
        case running
    }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let phase = Lock(Phase.starting(end: nil))

    @usableFromInline
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }

    @inlinable
    func start(_ body: (Emitter<Value, Failure>) -> (any Disposable)?) -> any Disposable {
        let target = EmissionTarget<Value, Failure>(
            send: { self.next($0) },
            lose: { self.output.lost($0) },
            end: { self.terminate($0) },
            demand: { self.output.demand }
        )
        let emitter = Emitter(target)
        if let resource = body(emitter) { output.resources.add(resource) }
        let end = phase.withLock { phase -> Termination<Failure>? in
            defer { phase = .running }
            guard case .starting(let end) = phase else { return nil }
            return end
        }
        if let end { output.terminate(end) }
        return output.handle
    }

    @inlinable
    func next(_ value: Value) -> Demand {
        let demand = output.next(value)
        if demand == .stop { terminate(.completed) }
        return demand
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let isRunning = phase.withLock { phase -> Bool in
            guard case .starting(let end) = phase else { return true }
            if end == nil { phase = .starting(end: termination) }
            return false
        }
        if isRunning { output.terminate(termination) }
    }
}
