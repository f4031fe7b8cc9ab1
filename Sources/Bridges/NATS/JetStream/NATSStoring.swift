public import Bus
import DequeModule

/// One subscription to ``Bus/Signal/publishAcknowledged(on:maxPending:limit:timeout:deliverOn:id:)``: sends the messages of its source to a stream,
/// and passes on the acknowledgements.
///
/// The observer of the source and the messages on their way hold it. Each of these messages has a slot of the connection, and the one who takes
/// the message out of ``NATSRequests`` gives the slot back.
@usableFromInline
final class NATSStoring: Sendable {
    let window: NATSStoringWindow
    private let core: NATSCore
    private let emitter: Emitter<NATSAcknowledgement, NATSError>
    private let id: @Sendable (NATSMessage) -> String?

    @usableFromInline
    init(
        _ connection: NATSConnection,
        _ emitter: Emitter<NATSAcknowledgement, NATSError>,
        maxPending: Int,
        timeout: Duration,
        id: @escaping @Sendable (NATSMessage) -> String?
    ) {
        core = connection.core
        self.emitter = emitter
        self.id = id
        window = NATSStoringWindow(limit: maxPending, timeout: timeout, slots: core.slots)
    }

    /// Ends the storing without telling the observer.
    @usableFromInline var handle: any Disposable { window }

    // MARK: The connection's thread

    @usableFromInline
    func store(_ message: NATSMessage) -> Demand {
        guard let id = id(message) else { return storeNamed(message) }
        var message = message
        message.headers["Nats-Msg-Id"] = id
        return storeNamed(message)
    }

    private func storeNamed(_ message: NATSMessage) -> Demand {
        guard window.mayBegin, core.slots.take() else {
            if window.wait(message) { reserve() }
            return demand
        }
        // In this order, as in `demand`.
        let hasCapacity = send(message)
        return demand(hasCapacity)
    }

    /// Asks for a slot for the first message that waits.
    private func reserve() {
        let ticket = core.slots.reserve { [self] in
            core.worker.schedule { [self] in sendWaiting() }
        }
        let isOver = window.state.withLock { state -> Bool in
            if !state.isOver { state.ticket = ticket }
            return state.isOver
        }
        // Over before the ticket was noted. If it cannot be withdrawn, there is a slot, which `sendWaiting` gives back.
        if isOver { _ = core.slots.withdraw(ticket) }
    }

    /// There is a slot.
    private func sendWaiting() {
        let (message, isMore, resume) = window.state.withLock {
            state -> (NATSMessage?, Bool, (@Sendable () -> Void)?) in
            state.ticket = nil
            let message = state.waiting.popFirst()
            state.isBeginning = message != nil
            let isMore = !state.waiting.isEmpty
            return (message, isMore, isMore || state.count >= window.limit ? nil : state.resume.take())
        }
        if let message { send(message) } else { core.slots.release() }
        if isMore { reserve() }
        resume?()
    }

    /// Sends a message that has a slot.
    ///
    /// - Returns: whether there is capacity for another.
    @discardableResult
    private func send(_ message: NATSMessage) -> Bool {
        do throws(NATSError) {
            return try core.storeHere(message, for: self)
        } catch {
            fail(error.reason, message.subject)
            return false
        }
    }

    // MARK: Any thread

    /// An answer of the server; a message of libnats.
    func hear(_ number: UInt64, _ message: OpaquePointer, _ subject: String) {
        switch JetStreamAnswer.acknowledgement(message) {
        case .success(let acknowledgement):
            emitter.send(acknowledgement)
            core.slots.release()
            let (isDone, resume) = window.end(number)
            if isDone { emitter.complete() }
            resume?()
        case .failure(let refusal): fail(refusal.reason, subject)
        }
    }

    /// A message cannot be stored; it has its slot still.
    func fail(_ reason: NATSError.Reason, _ subject: String) {
        emitter.fail(core.storingError(reason, subject))
        core.slots.release()
        window.dispose()
    }

    // MARK: The source

    // The window is asked before the emitter: the acknowledgements that come in between find capacity in the emitter's queue.
    @usableFromInline var demand: Demand { demand(window.hasCapacity) }

    private func demand(_ hasCapacity: Bool) -> Demand {
        let demand = emitter.demand
        return demand == .more && !hasCapacity ? .pause : demand
    }

    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let demand = emitter.demand
        if demand != .stop, window.wait(resume) { return .pause }
        return emitter.whenReady(resume)
    }

    @usableFromInline
    func lost(_ count: Int) { emitter.sendLoss(of: count) }

    @usableFromInline
    func terminate(_ termination: Termination<NATSError>) {
        switch termination {
        case .completed:
            let isDone = window.state.withLock { state -> Bool in
                state.isComplete = true
                return state.isDone
            }
            if isDone { emitter.complete() }
        case .failed(let error): emitter.fail(error)
        }
    }
}

/// Hears the messages to store.
@frozen
@usableFromInline
struct NATSStoringObserver: Observer, ~Copyable {
    @usableFromInline typealias Value = NATSMessage
    @usableFromInline typealias Failure = NATSError
    @usableFromInline let storing: NATSStoring

    @inlinable
    init(_ storing: NATSStoring) {
        self.storing = storing
    }

    @inlinable
    mutating func next(_ message: NATSMessage) -> Demand { storing.store(message) }

    @inlinable
    mutating func lost(_ count: Int) { storing.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<NATSError>) { storing.terminate(termination) }

    @inlinable
    var demand: Demand { storing.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { storing.whenReady(resume) }
}
