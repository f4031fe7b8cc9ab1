import Bus
import DequeModule

/// One subscription to ``Bus/Signal/receipts(over:maxPending:limit:timeout:leavesOut:)``: sends the messages of its source to a stream,
/// and passes on what becomes of them.
///
/// The observer of the source and the messages on their way hold it. Each of these messages has a slot of the connection, and the one who takes
/// the message out of ``NATSRequests`` gives the slot back.
final class NATSStoring: Sendable {
    let window: NATSStoringWindow
    private let core: NATSCore
    private let emitter: Emitter<NATSReceipt, NATSError>
    private let leavesOut: @Sendable (NATSError.Reason) -> Bool

    init(
        _ connection: NATSConnection,
        _ emitter: Emitter<NATSReceipt, NATSError>,
        maxPending: Int,
        timeout: Duration,
        leavesOut: @escaping @Sendable (NATSError.Reason) -> Bool
    ) {
        core = connection.core
        self.emitter = emitter
        self.leavesOut = leavesOut
        window = NATSStoringWindow(limit: maxPending, timeout: timeout, slots: core.slots)
    }

    /// Ends the storing without telling the observer.
    var handle: any Disposable { window }

    // MARK: The connection's thread

    func store(_ item: NATSStorable) -> Demand {
        guard let message = item.message else {
            emitter.send(.passed(tag: item.tag))
            return demand
        }
        let storable = NATSStoringWindow.Message(tag: item.tag, message)
        guard window.mayBegin, core.slots.take() else {
            if window.wait(storable) { reserve() }
            return demand
        }
        // In this order, as in `demand`.
        let hasCapacity = send(storable)
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
            state -> (NATSStoringWindow.Message?, Bool, (@Sendable () -> Void)?) in
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
    private func send(_ item: NATSStoringWindow.Message) -> Bool {
        do throws(NATSError) {
            return try core.storeHere(item.message, tag: item.tag, for: self)
        } catch {
            fail(error.reason, item.message.subject)
            return false
        }
    }

    /// A message that cannot be sent, and has its slot still.
    ///
    /// - Returns: whether there is capacity for another; `nil` if it may not be left out.
    func leaveOut(_ tag: UInt64, _ reason: NATSError.Reason, _ subject: String) -> Bool? {
        guard leavesOut(reason) else { return nil }
        finish(0, .refused(tag: tag, core.storingError(reason, subject)))
        return window.hasCapacity
    }

    // MARK: Any thread

    /// An answer of the server; a message of libnats.
    func hear(_ number: UInt64, _ tag: UInt64, _ message: OpaquePointer, _ subject: String) {
        switch JetStreamAnswer.acknowledgement(message) {
        case .success(let acknowledgement): finish(number, .stored(tag: tag, acknowledgement))
        case .failure(let refusal) where leavesOut(refusal.reason):
            finish(number, .refused(tag: tag, core.storingError(refusal.reason, subject)))
        case .failure(let refusal): fail(refusal.reason, subject)
        }
    }

    private func finish(_ number: UInt64, _ receipt: NATSReceipt) {
        emitter.send(receipt)
        core.slots.release()
        let (isDone, resume) = window.end(number)
        if isDone { emitter.complete() }
        resume?()
    }

    /// A message cannot be stored; it has its slot still.
    func fail(_ reason: NATSError.Reason, _ subject: String) {
        emitter.fail(core.storingError(reason, subject))
        core.slots.release()
        window.dispose()
    }

    // MARK: The source

    // The window is asked before the emitter: the acknowledgements that come in between find capacity in the emitter's queue.
    var demand: Demand { demand(window.hasCapacity) }

    private func demand(_ hasCapacity: Bool) -> Demand {
        let demand = emitter.demand
        return demand == .more && !hasCapacity ? .pause : demand
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let demand = emitter.demand
        if demand != .stop, window.wait(resume) { return .pause }
        return emitter.whenReady(resume)
    }

    func lost(_ count: Int) { emitter.sendLoss(of: count) }

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
struct NATSStoringObserver: Observer, ~Copyable {
    typealias Value = NATSStorable
    typealias Failure = NATSError
    let storing: NATSStoring

    init(_ storing: NATSStoring) {
        self.storing = storing
    }

    mutating func next(_ item: NATSStorable) -> Demand { storing.store(item) }

    mutating func lost(_ count: Int) { storing.lost(count) }

    consuming func terminate(_ termination: Termination<NATSError>) { storing.terminate(termination) }

    var demand: Demand { storing.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { storing.whenReady(resume) }
}
