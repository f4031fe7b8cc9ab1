import Bus
import CNATS
import Synchronization
import Timers

/// One connection to a server, from its making to its end. libnats makes it again when it is lost meanwhile.
///
/// All calls that may block are made on the connection's thread, in the order in which they were asked for.
final class NATSLink: Sendable {
    private struct State: Sendable {
        var commands: [NATSCommand] = []
        var isDraining = false
    }

    private let options: NATSOptions
    private let report: @Sendable (NATSEvent) -> Void
    private let ticket = NATSTicket()
    /// The connection's, which goes on with the next link.
    private let worker: ThreadScheduler
    /// Waits for answers to pings, which would delay what the other thread sends.
    private let waiter = ThreadScheduler(name: "bus-nats-wait")
    private let state = Lock(State())
    /// Whether commands wait. Changed under the lock of `state`; asked for each message, without it.
    private let isAsked = Atomic<Bool>(false)
    /// Becomes true under the lock of `state`, so that no command is accepted afterwards.
    private let over = Atomic<Bool>(false)
    let requests: NATSRequests
    private let life: Life

    /// The state of the link's thread.
    // Unchecked: used on that thread alone.
    private final class Life: @unchecked Sendable {
        var session: NATSSession?
        var drains: [NATSCommand.Done] = []
        /// The last error that came from the server or libnats by itself, refusals left out.
        var problem: NATSError.Reason?
    }

    init(_ options: NATSOptions, on worker: ThreadScheduler, report: @escaping @Sendable (NATSEvent) -> Void) {
        self.options = options
        self.worker = worker
        self.report = report
        requests = NATSRequests(place: options.place)
        life = Life()
    }

    var isOver: Bool { over.load(ordering: .acquiring) }

    /// Hands over a command. False when the link is over; then nothing happens.
    func accept(_ command: NATSCommand) -> Bool { put { $0.append(command) } }

    /// Hands over an acknowledgement. False when the link is over; then nothing happens.
    func acknowledge(_ item: NATSAcknowledging.Item, for consuming: NATSConsuming) -> Bool {
        put { commands in
            // Never before a command that was accepted first: a handler that publishes does so before it returns.
            if case .acknowledge(let last)? = commands.last, last.consuming === consuming {
                last.add(item)
            } else {
                commands.append(.acknowledge(NATSAcknowledging(consuming, item)))
            }
        }
    }

    private func put(_ add: (inout [NATSCommand]) -> Void) -> Bool {
        let (isAccepted, needsDrain) = state.withLock { state -> (Bool, Bool) in
            guard !isOver else { return (false, false) }
            add(&state.commands)
            isAsked.store(true, ordering: .releasing)
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        if needsDrain { worker.schedule { self.drain() } }
        return isAccepted
    }

    /// Ends the connection once all that was accepted is sent, or after a second.
    func close() {
        worker.schedule { [self] in
            // Those that were accepted while the queue was being drained.
            performWaiting()
            if let handle = life.session?.handle, !natsConnection_IsReconnecting(handle.pointer) {
                natsConnection_FlushTimeout(handle.pointer, 1000)
            }
            end(.closed)
        }
    }

    // MARK: The link's thread

    /// Publishes a message at once, after the commands that wait.
    ///
    /// - Returns: false when the link is over; then nothing has happened.
    func publishHere(_ message: NATSMessage) throws(NATSError) -> Bool {
        guard let session = try sessionHere() else { return false }
        if let reason = session.publish(message) { throw publishingError(reason, message) }
        return true
    }

    private func publishingError(_ reason: NATSError.Reason, _ message: NATSMessage) -> NATSError {
        NATSError(reason, "publish to \"\(message.subject)\"", server: options.place)
    }

    /// Sends a message to a stream at once, after the commands that wait. It has its slot.
    ///
    /// - Returns: whether there is capacity for another; nil when the link is over; then nothing has happened.
    func storeHere(
        _ number: UInt64,
        _ message: NATSMessage,
        tag: UInt64,
        for storing: NATSStoring
    ) throws(NATSError) -> Bool? {
        guard let session = try sessionHere() else { return nil }
        // Noted first: whoever disposes of the window after `window.begin` finds it there.
        requests.begin(number, to: message.subject, for: storing, tag: tag, deadline: storing.window.deadline)
        guard let hasCapacity = storing.window.begin(requests) else {
            if requests.forget(number) { storing.window.slots.release() }
            return false
        }
        guard let reason = session.request(number, message), requests.forget(number) else { return hasCapacity }
        if let hasCapacity = storing.leaveOut(tag, reason, message.subject) { return hasCapacity }
        throw publishingError(reason, message)
    }

    /// The session after the commands that wait; nil when the link is over.
    private func sessionHere() throws(NATSError) -> NATSSession? {
        if isOver { return nil }
        if isAsked.load(ordering: .acquiring) {
            performWaiting()
            if isOver { return nil }
        }
        do throws(NATSError) {
            return try openedSession()
        } catch {
            life.problem = error.reason
            end(error.reason)
            throw error
        }
    }

    private func performWaiting() {
        let batch = state.withLock { state -> [NATSCommand] in
            defer { state.commands = [] }
            isAsked.store(false, ordering: .releasing)
            return state.commands
        }
        for command in batch { perform(command) }
    }

    /// Carries out the commands that wait. Later commands are carried out by another work item, so that events of the connection are not held up.
    private func drain() {
        performWaiting()
        let isMore = state.withLock { state -> Bool in
            state.isDraining = !state.commands.isEmpty
            return state.isDraining
        }
        if isMore { worker.schedule { self.drain() } }
    }

    private func perform(_ command: NATSCommand) {
        if isOver { return fail(command, life.problem ?? .closed) }
        do throws(NATSError) {
            perform(command, try openedSession())
        } catch {
            fail(command, error.reason)
            life.problem = error.reason
            end(error.reason)
        }
    }

    private func openedSession() throws(NATSError) -> NATSSession {
        if let session = life.session { return session }
        ticket.issue(to: self)
        let handle = try NATSOpening(options: options, ticket: ticket).open()
        let session = NATSSession(handle, answering: requests)
        life.session = session
        report(.connected(server: handle.server))
        return session
    }

    private func perform(_ command: NATSCommand, _ session: NATSSession) {
        switch command {
        case .listen(let number, let interest, let listener):
            if let reason = session.listen(number, interest, listener) { fail(command, reason) }
        case .leave(let number): session.leave(number)
        case .publish(let message, let done):
            if let reason = session.publish(message) { fail(command, reason) } else { done(.success(())) }
        case .acknowledge(let batch):
            for item in batch.items {
                if let reason = session.acknowledge(item.reply) { return fail(command, reason) }
            }
            batch.consuming.areSent(batch.items)
        case .request(let number, let message):
            if let reason = session.request(number, message) { fail(command, reason) }
        case .flush(let timeout, let done): flush(session.handle, session.handle.reconnects, timeout, done)
        case .drain(let timeout, let done): drain(session.handle, timeout, done)
        }
    }

    /// - Parameter reconnects: the connection's number. The flush fails if it changes; nil waits until the connection is made again.
    private func flush(
        _ handle: NATSHandle,
        _ reconnects: UInt64?,
        _ timeout: Duration,
        _ done: @escaping NATSCommand.Done
    ) {
        let answer = Waiter<Result<Void, NATSError>>()
        answer.then(done)
        let place = options.place
        @Sendable func end(with reason: NATSError.Reason?) {
            answer.end(with: reason.map { .failure(NATSError($0, "flush", server: place)) } ?? .success(()))
        }
        // An earlier flush may keep the waiter's thread for longer.
        let deadline = TimerScheduler.shared.now.advanced(by: timeout)
        let timer = TimerScheduler.shared.schedule(at: deadline) { end(with: .timedOut) }
        @Sendable func loss() -> NATSError.Reason? {
            let isLost = reconnects != nil && handle.reconnects != reconnects
            return isLost ? .disconnected("it was lost during the flush") : nil
        }
        waiter.schedule {
            guard answer.isOpen else { return }
            // While the connection is lost, libnats keeps the ping for the next one, which says nothing of the messages lost.
            let failure = loss() ?? handle.flush(TimerScheduler.shared.now.duration(to: deadline)) ?? loss()
            end(with: failure)
            timer.cancel()
        }
    }

    private func drain(_ handle: NATSHandle, _ timeout: Duration, _ done: @escaping NATSCommand.Done) {
        life.drains.append(done)
        guard life.drains.count == 1 else { return }
        life.problem = nil
        guard let reconnects = handle.reconnects else {
            return end(.disconnected("it was lost, and is not made again yet"))
        }
        let deadline = TimerScheduler.shared.now.advanced(by: timeout)
        // libnats does not say whether the flush of its own drain could be written.
        flush(handle, reconnects, timeout) { [self] result in
            worker.schedule {
                if case .failure(let error) = result { return self.end(error.reason) }
                let rest = TimerScheduler.shared.now.duration(to: deadline)
                let status = natsConnection_DrainTimeout(handle.pointer, rest.natsMilliseconds)
                if status != NATS_OK { self.end(NATSError.Reason(status)) }
            }
        }
    }

    /// Ends everything. Without a reason a drain is over, and subscriptions complete.
    private func end(_ reason: NATSError.Reason?) {
        let (isFirst, left) = state.withLock { state -> (Bool, [NATSCommand]) in
            defer { state.commands = [] }
            return (!over.exchange(true, ordering: .acquiringAndReleasing), state.commands)
        }
        guard isFirst else { return }
        ticket.retire()
        for command in left { fail(command, reason ?? .closed) }
        let (session, drains) = (life.session, life.drains)
        (life.session, life.drains) = (nil, [])
        session?.endAll { interest in
            guard let reason else { return .completed }
            return .failed(NATSError(reason, interest.operation, server: options.place))
        }
        requests.failAll(reason ?? .closed)
        let wasConnected = session != nil
        session?.handle.close()
        for done in drains {
            done(reason.map { .failure(NATSError($0, "drain", server: options.place)) } ?? .success(()))
        }
        if wasConnected { report(.closed) }
    }

    /// Tells whoever asked that it cannot be done.
    private func fail(_ command: NATSCommand, _ reason: NATSError.Reason) {
        func error(_ operation: String) -> NATSError { NATSError(reason, operation, server: options.place) }
        switch command {
        case .listen(_, let interest, let listener): listener.end(.failed(error(interest.operation)))
        case .publish(let message, let done): done(.failure(error("publish to \"\(message.subject)\"")))
        case .acknowledge(let batch): batch.consuming.fail(error(batch.consuming.operation))
        case .request(let number, _): requests.fail(number, reason)
        case .flush(_, let done): done(.failure(error("flush")))
        case .drain(_, let done): done(.failure(error("drain")))
        case .leave: break
        }
    }
}

// MARK: Callbacks of libnats

extension NATSLink {
    static func closed(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
        guard let link = NATSTicket.link(of: context) else { return }
        var text: UnsafePointer<CChar>?
        let error = natsConnection_GetLastError(connection, &text)
        link.worker.schedule { link.isClosed(error) }
    }

    static func disconnected(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
        guard let link = NATSTicket.link(of: context) else { return }
        link.worker.schedule { if !link.isOver, link.life.session != nil { link.report(.disconnected) } }
    }

    static func reconnected(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
        guard let link = NATSTicket.link(of: context) else { return }
        link.worker.schedule {
            guard let handle = link.life.session?.handle else { return }
            link.life.problem = nil
            link.report(.reconnected(server: handle.server))
        }
    }

    static func failed(
        _ connection: OpaquePointer?,
        _ subscription: OpaquePointer?,
        _ status: natsStatus,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let link = NATSTicket.link(of: context) else { return }
        if status == NATS_SLOW_CONSUMER {
            let id = natsSubscription_GetID(subscription)
            return link.worker.schedule { link.life.session?.beginsDropping(by: id) }
        }
        let text = NATSStatus.lastText(for: status)
        link.worker.schedule { link.notified(NATSError.Reason(status, text), text) }
    }

    /// - Parameter error: the last error of the connection.
    private func isClosed(_ error: natsStatus) {
        if life.drains.isEmpty { return end(life.problem ?? .disconnected("libnats stopped reconnecting")) }
        // libnats notes the listed ones, too, and the connection goes on. The refusal is that of an earlier server.
        let passing = [NATS_OK, NATS_SLOW_CONSUMER, NATS_NOT_PERMITTED, NATS_CONNECTION_AUTH_FAILED]
        let isLost = !passing.contains(error)
        end(life.problem ?? (isLost ? .disconnected("it was lost while it was drained") : nil))
    }

    /// An error for which no call is waiting.
    private func notified(_ reason: NATSError.Reason, _ text: String) {
        guard case .notPermitted = reason else {
            life.problem = reason
            return
        }
        guard let refusal = NATSRefusal(text) else { return }
        let place = options.place
        if refusal.isOfSubscription {
            life.session?.refuse(refusal) { NATSError(reason, $0.operation, server: place) }
        } else {
            requests.fail(refusal, reason)
            report(.refused(NATSError(reason, "publish to \"\(refusal.subject)\"", server: place)))
        }
    }
}
