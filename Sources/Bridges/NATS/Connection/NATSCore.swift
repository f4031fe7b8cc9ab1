import Bus
import Synchronization

/// The present link of a connection, if it has one, for all who use the connection.
final class NATSCore: Sendable {
    private struct State: Sendable {
        var link: NATSLink?
        var isClosed = false
    }

    let options: NATSOptions
    let events = Subject<NATSEvent, Never>()
    /// For messages that wait to be acknowledged by a stream.
    let slots: NATSSlots
    /// Where all calls that may block are made.
    let worker = ThreadScheduler(name: "bus-nats")
    private let state = Lock(State())
    private let lastNumber = Atomic<UInt64>(0)

    init(_ options: NATSOptions) {
        self.options = options
        slots = NATSSlots(options.maxUnacknowledged)
    }

    deinit {
        close()
    }

    func close() {
        let link = state.withLock { state -> NATSLink? in
            // A drain that is under way ends the link itself.
            guard !state.isClosed else { return nil }
            state.isClosed = true
            return state.link.take()
        }
        link?.close()
    }

    func listen(_ interest: NATSInterest, _ listener: NATSListener) -> any Disposable {
        if let flaw = interest.flaw {
            listener.end(.failed(error(.invalid(flaw), interest.operation)))
            return FinishedDisposable()
        }
        let number = nextNumber()
        guard let link = perform({ .listen(number, interest, listener) }) else {
            listener.end(.failed(error(.closed, interest.operation)))
            return FinishedDisposable()
        }
        // The core lives as long as the subscription.
        return ActionDisposable { [self] in withExtendedLifetime(self) { _ = link.accept(.leave(number)) } }
    }

    func publish(_ message: NATSMessage, _ done: @escaping NATSCommand.Done) {
        let operation = "publish to \"\(message.subject)\""
        if let flaw = message.flaw { return done(.failure(error(.invalid(flaw), operation))) }
        if perform({ .publish(message, done) }) == nil { done(.failure(error(.closed, operation))) }
    }

    /// Acknowledges a message of a stream.
    func acknowledge(_ item: NATSAcknowledging.Item, for consuming: NATSConsuming) {
        while let link = presentLink() {
            if link.acknowledge(item, for: consuming) { return }
        }
        consuming.fail(error(.closed, consuming.operation))
    }

    /// Publishes on the calling thread, which is the connection's.
    func publishHere(_ message: NATSMessage) throws(NATSError) {
        func operation() -> String { "publish to \"\(message.subject)\"" }
        if let flaw = message.flaw { throw error(.invalid(flaw), operation()) }
        while let link = presentLink() {
            if try link.publishHere(message) { return }
        }
        throw error(.closed, operation())
    }

    /// Sends a message to a stream, on the calling thread, which is the connection's.
    ///
    /// - Returns: whether there is capacity for another.
    func storeHere(_ message: NATSMessage, tag: UInt64, for storing: NATSStoring) throws(NATSError) -> Bool {
        if let flaw = message.flaw { throw storingError(.invalid(flaw), message.subject) }
        let number = nextNumber()
        while let link = presentLink() {
            if let hasCapacity = try link.storeHere(number, message, tag: tag, for: storing) { return hasCapacity }
        }
        throw storingError(.closed, message.subject)
    }

    func request(_ message: NATSMessage, _ timeout: Duration, _ answer: @escaping NATSCommand.Answer)
        -> any Disposable
    {
        let operation = "request \"\(message.subject)\""
        if let flaw = message.flaw {
            answer(.failure(error(.invalid(flaw), operation)))
            return FinishedDisposable()
        }
        let number = nextNumber()
        while let link = presentLink() {
            link.requests.begin(number, to: message.subject, timeout: timeout, answer)
            if link.accept(.request(number, message)) {
                return ActionDisposable { link.requests.forget(number) }
            }
            // The link has ended just now. If it has not failed the request, the next one takes it.
            guard link.requests.forget(number) else { return FinishedDisposable() }
        }
        answer(.failure(error(.closed, operation)))
        return FinishedDisposable()
    }

    func flush(_ timeout: Duration, _ done: @escaping NATSCommand.Done) {
        if perform({ .flush(timeout, done) }) == nil { done(.failure(error(.closed, "flush"))) }
    }

    /// The connection takes nothing new, and ends when all is delivered and sent. A drain that is under way is waited for.
    func drain(_ timeout: Duration, _ done: @escaping NATSCommand.Done) {
        let link = state.withLock { state in
            state.isClosed = true
            return state.link
        }
        guard let link, link.accept(.drain(timeout, done)) else { return done(.success(())) }
    }

    func error(_ reason: NATSError.Reason, _ operation: String) -> NATSError {
        NATSError(reason, operation, server: options.place)
    }

    /// Hands a command to the link, to a new one if that is over. Returns the link; nil when the connection is closed.
    private func perform(_ command: () -> NATSCommand) -> NATSLink? {
        while let link = presentLink() {
            if link.accept(command()) { return link }
        }
        return nil
    }

    private func presentLink() -> NATSLink? {
        let (link, former) = state.withLock { state -> (NATSLink?, NATSLink?) in
            if state.isClosed { return (nil, nil) }
            if let link = state.link, !link.isOver { return (link, nil) }
            let link = NATSLink(options, on: worker) { [events] event in events.send(event) }
            defer { state.link = link }
            return (link, state.link)
        }
        // Released here, not under the lock: requests that nobody has answered may hold any closure.
        withExtendedLifetime(former) {}
        return link
    }

    private func nextNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension NATSCore: CustomReflectable {
    /// `dump` and `Mirror` end the process at a property that is not copyable.
    var customMirror: Mirror { Mirror(self, children: ["options": options]) }
}
