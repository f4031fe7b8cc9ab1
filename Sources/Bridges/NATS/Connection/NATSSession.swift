import Bus
import CNATS

/// The objects of libnats that a link has: the connection, its subscriptions, and the inbox for answers.
// Unchecked: used on the link's thread alone.
final class NATSSession: @unchecked Sendable {
    private struct Entry {
        let subscription: OpaquePointer
        let id: Int64
        let interest: NATSInterest
        let listener: NATSListener
    }

    let handle: NATSHandle
    private let requests: NATSRequests
    private var entries: [UInt64: Entry] = [:]
    /// The number of each subscription by libnats's own.
    private var numbers: [Int64: UInt64] = [:]
    private var inbox: NATSInbox?
    /// Those of other subscriptions begin with 1.
    private static let inboxNumber: UInt64 = 0

    init(_ handle: NATSHandle, answering requests: NATSRequests) {
        self.handle = handle
        self.requests = requests
    }

    // MARK: Subscriptions

    /// - Returns: why the subscription cannot be made, if so.
    func listen(_ number: UInt64, _ interest: NATSInterest, _ listener: NATSListener) -> NATSError.Reason? {
        var subscription: OpaquePointer?
        let context = listener.retainedContext()
        let connection = handle.pointer
        let status =
            if let group = interest.group {
                natsConnection_QueueSubscribe(
                    &subscription,
                    connection,
                    interest.subject,
                    group,
                    NATSListener.receive,
                    context
                )
            } else {
                natsConnection_Subscribe(&subscription, connection, interest.subject, NATSListener.receive, context)
            }
        guard status == NATS_OK, let subscription else {
            // The server was never notified of it, so libnats calls nobody.
            NATSListener.release(context)
            return NATSError.Reason(status)
        }
        guard natsSubscription_SetOnCompleteCB(subscription, NATSListener.release, context) == NATS_OK else {
            // The connection has ended meanwhile. The last message may be on its way to the listener, and nobody says when
            // it is over, so the listener is never freed.
            natsSubscription_Destroy(subscription)
            return .disconnected("")
        }
        setLimits(of: subscription, interest)
        let id = natsSubscription_GetID(subscription)
        entries[number] = Entry(subscription: subscription, id: id, interest: interest, listener: listener)
        numbers[id] = number
        return nil
    }

    /// The listener's queue has the limits that were asked for. libnats may hold as much again, and one large message.
    private func setLimits(of subscription: OpaquePointer, _ interest: NATSInterest) {
        let bytes = interest.byteLimit.addingReportingOverflow(handle.maxMessageSize ?? 0)
        natsSubscription_SetPendingLimits(
            subscription,
            CInt(clamping: max(1, interest.limit)),
            bytes.overflow ? .max : CInt(clamping: max(1, bytes.partialValue))
        )
    }

    func leave(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        numbers[entry.id] = nil
        // It fails when the connection is over, and then nothing is subscribed to.
        natsSubscription_Unsubscribe(entry.subscription)
        natsSubscription_Destroy(entry.subscription)
    }

    /// libnats has begun to drop messages of a subscription.
    func beginsDropping(by id: Int64) {
        guard let number = numbers[id], let entry = entries[number] else { return }
        entry.listener.beginsDropping(by: entry.subscription)
    }

    /// Ends all subscriptions with what `termination` makes for each.
    func endAll(_ termination: (NATSInterest) -> Termination<NATSError>) {
        let ended = entries
        for (number, entry) in ended {
            // The last report may be on its way.
            entry.listener.reportDropped(by: entry.subscription)
            leave(number)
        }
        for entry in ended.values { entry.listener.end(termination(entry.interest)) }
    }

    /// Fails the subscriptions that the server does not permit.
    func refuse(_ refusal: NATSRefusal, _ error: (NATSInterest) -> NATSError) {
        for (number, entry) in entries where refusal.isOf(entry.interest.subject) {
            leave(number)
            entry.listener.end(.failed(error(entry.interest)))
            guard number == Self.inboxNumber else { continue }
            inbox = nil
            requests.failAll(error(entry.interest).reason)
        }
    }

    // MARK: Sending

    /// - Returns: why it cannot be sent, if so.
    func publish(_ message: NATSMessage) -> NATSError.Reason? {
        sent(message, message.write(to: handle.pointer))
    }

    /// Says that a message of a stream is handled.
    func acknowledge(_ reply: String) -> NATSError.Reason? {
        let text: StaticString = "+ACK"
        let status = reply.withCString { reply in
            text.withUTF8Buffer { natsConnection_Publish(handle.pointer, reply, $0.baseAddress, CInt($0.count)) }
        }
        return status == NATS_OK ? nil : NATSError.Reason(status)
    }

    private func sent(_ message: NATSMessage, _ status: natsStatus) -> NATSError.Reason? {
        if status == NATS_OK { return nil }
        let size = message.size
        if let limit = handle.maxMessageSize, size > limit { return .tooLarge(bytes: size, limit: limit) }
        return NATSError.Reason(status)
    }

    /// Sends a request whose answer comes to the inbox.
    func request(_ number: UInt64, _ message: NATSMessage) -> NATSError.Reason? {
        let inbox: NATSInbox
        switch openInbox() {
        case .success(let open): inbox = open
        case .failure(let error): return error.reason
        }
        return sent(message, inbox.withReply(number) { message.write(to: handle.pointer, reply: $0) })
    }

    private struct Failure: Error {
        let reason: NATSError.Reason
    }

    private func openInbox() -> Result<NATSInbox, Failure> {
        if let inbox { return .success(inbox) }
        var name: UnsafeMutablePointer<CChar>?
        let status = natsInbox_Create(&name)
        guard status == NATS_OK, let name else { return .failure(Failure(reason: NATSError.Reason(status))) }
        defer { natsInbox_Destroy(name) }
        let inbox = NATSInbox(String(cString: name))
        let interest = NATSInterest(subject: inbox.pattern, group: nil, limit: 65_536, byteLimit: 64 * 1024 * 1024)
        if let reason = listen(Self.inboxNumber, interest, inboxListener()) {
            return .failure(Failure(reason: reason))
        }
        self.inbox = inbox
        return .success(inbox)
    }

    private func inboxListener() -> NATSListener {
        NATSListener(
            hear: { [requests] message in
                defer { NATSSpentMessages.shared.destroy(message, size: NATSMessage.size(of: message)) }
                if let number = NATSInbox.number(of: message) { requests.answer(number, message) }
            },
            // A request whose answer was dropped times out.
            miss: { _ in },
            end: { _ in }
        )
    }
}
