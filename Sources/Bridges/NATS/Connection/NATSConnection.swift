public import Bus

/// A connection to NATS. It is made when it is first needed, and shared by all who use this object.
///
/// libnats makes the connection again when it is lost, and tells the server of all subscriptions. Subscriptions miss the
/// messages that are sent meanwhile. ``events(on:)`` tells of the loss of the connection; the number of missed messages
/// is unknown. When libnats gives the connection up, the next use makes a new one.
///
/// A thread of this object makes all calls that may block, in the order in which they are asked for. So a message that is
/// published after `subscribe` has returned comes to the server after the subscription.
///
/// ```swift
/// import Bus
/// import NATSBridge
///
/// let nats = NATSConnection(NATSOptions("nats://127.0.0.1:4222"))
/// let subscription = nats.messages(to: "orders.*").subscribe(
///     next: { print($0.subject, $0.text) },
///     failed: { print($0) }
/// )
/// try await nats.publish("42", to: "orders.new")
/// ```
///
/// It ends when this object and all subscriptions that were made of it are let go of.
public final class NATSConnection: Sendable {
    let core: NATSCore

    /// Connects when it is first used.
    public init(_ options: NATSOptions) {
        core = NATSCore(options)
    }

    /// The options that it was opened with.
    public var options: NATSOptions { core.options }

    /// Where all calls that may block are made.
    @usableFromInline var worker: ThreadScheduler { core.worker }

    /// Publishes on the calling thread, which is the connection's.
    @usableFromInline
    func publishHere(_ message: NATSMessage) throws(NATSError) { try core.publishHere(message) }

    /// The servers for messages, without user and password.
    package var place: String { options.place }

    /// The messages that are sent to a subject. Cold: each subscription is one at the server.
    ///
    /// ```
    /// server        --orders.new--cart.new--orders.old--
    /// orders.*      --orders.new------------orders.old--
    /// ```
    ///
    /// `*` in the subject stands for one token, `>` at the end for one or more. A subscription hears what reaches the server
    /// after the server knows of it; ``flush(timeout:)`` waits for that.
    ///
    /// - Ends: when the connection is drained, after all messages that had come.
    /// - Fails: when no server can be reached, the server refuses the user or the subject, libnats gives the connection up, the
    ///   connection is closed, or the subject breaks a rule. A connection that is lost and made again is no failure.
    /// - Cancelling: takes the subscription back, and does not wait for that.
    /// - Buffers: at most `limit` messages while the observer pauses, as many on their way to the scheduler, at least 128, all
    ///   together about `byteLimit` bytes, and as much in libnats. A message that finds the queue full is lost, and counted in its place.
    /// - Thread: the scheduler's. `ImmediateScheduler` would call the observer on libnats's delivery thread, and so keep all
    ///   other subscriptions of the process waiting.
    ///
    /// - Parameters:
    ///   - subject: what to listen to.
    ///   - group: a queue group. Of its members, which may be in several processes, one hears each message.
    ///   - limit: how many messages may wait.
    ///   - byteLimit: how many bytes may wait, headers included. One message may go beyond it.
    ///   - scheduler: where messages are heard; `bus-events` by default.
    @inlinable
    public func messages<S: Scheduler>(
        to subject: String,
        inGroup group: String? = nil,
        limit: Int = 1024,
        byteLimit: Int = 8 * 1024 * 1024,
        on scheduler: S = ThreadScheduler.shared
    ) -> some Signal<NATSMessage, NATSError> {
        // Half of them wait, and half are being delivered. With little capacity here, messages would often take the slow way, through
        // the queue in front.
        parcels(to: subject, inGroup: group, limit, byteLimit)
            .deliver(on: scheduler, limit: max(64, limit / 2))
            .map { $0.read() }
    }

    /// The same on libnats's delivery thread.
    @inlinable
    func parcels(
        to subject: String,
        inGroup group: String?,
        _ limit: Int,
        _ byteLimit: Int
    ) -> some Signal<NATSParcel, NATSError> {
        Signals.create(of: NATSParcel.self, failure: NATSError.self, limit: limit) { [self] emitter in
            listen(to: subject, inGroup: group, limit, byteLimit, emitter)
        }
    }

    @usableFromInline
    func listen(
        to subject: String,
        inGroup group: String?,
        _ limit: Int,
        _ byteLimit: Int,
        _ emitter: Emitter<NATSParcel, NATSError>
    ) -> any Disposable {
        let interest = NATSInterest(subject: subject, group: group, limit: limit, byteLimit: byteLimit)
        return core.listen(interest, NATSListener(emitter, capacity: MemoryBudget(byteLimit)))
    }

    /// Sends a message.
    ///
    /// It returns when the message is in the output buffer, or in the reconnect buffer while the connection is lost.
    /// ``flush(timeout:)`` waits until the server has it. ``request(_:to:headers:timeout:)-([UInt8],_,_,_)`` waits for an answer.
    /// A task that is cancelled waits all the same.
    ///
    /// - Parameters:
    ///   - payload: at most as many bytes, with the headers, as the server takes; 1 MiB by default.
    ///   - subject: where to send it, without wildcards.
    ///   - headers: sent with the message.
    ///   - reply: the subject on which an answer is expected, for who receives it.
    /// - Throws: ``NATSError`` when no server can be reached, the subject or the headers break a rule, the message is too large,
    ///   or the buffer for later is full.
    public func publish(
        _ payload: [UInt8],
        to subject: String,
        headers: NATSHeaders = [:],
        replyTo reply: String? = nil
    ) async throws(NATSError) {
        try await publish(NATSMessage(subject: subject, reply: reply, headers: headers, payload: payload))
    }

    /// Sends text. See ``publish(_:to:headers:replyTo:)-([UInt8],_,_,_)``.
    public func publish(
        _ text: String,
        to subject: String,
        headers: NATSHeaders = [:],
        replyTo reply: String? = nil
    ) async throws(NATSError) {
        try await publish(Array(text.utf8), to: subject, headers: headers, replyTo: reply)
    }

    /// Sends a message to its subject. See ``publish(_:to:headers:replyTo:)-([UInt8],_,_,_)``.
    public func publish(_ message: NATSMessage) async throws(NATSError) {
        try await waitUntilDone { core.publish(message, $0) }
    }

    /// Waits until the server has all that was published and knows all subscriptions that were made. A task that is cancelled
    /// waits all the same.
    ///
    /// While the connection is lost, it waits until the connection is made again and the server has the reconnect buffer. Messages
    /// that were on their way when the connection was lost are not sent again.
    ///
    /// - Parameter timeout: how long to wait for the server's answer.
    /// - Throws: ``NATSError`` when no server can be reached, the connection is lost meanwhile, or the answer does not come in
    ///   time.
    public func flush(timeout: Duration = .seconds(10)) async throws(NATSError) {
        try await waitUntilDone { core.flush(timeout, $0) }
    }

    /// Asks, and waits in the task for the first answer. A task that is cancelled waits no longer; the request may be carried
    /// out all the same.
    ///
    /// - Parameters:
    ///   - payload: the content of the request.
    ///   - subject: who is asked.
    ///   - headers: for who is asked.
    ///   - timeout: how long to wait, connecting included.
    /// - Throws: ``NATSError``, with ``NATSError/Reason-swift.enum/noResponders`` when nobody listens and
    ///   ``NATSError/Reason-swift.enum/service(code:text:)`` when the other side says that it failed; `CancellationError`.
    public func request(
        _ payload: [UInt8],
        to subject: String,
        headers: NATSHeaders = [:],
        timeout: Duration = .seconds(5)
    ) async throws -> NATSMessage {
        let message = NATSMessage(subject: subject, headers: headers, payload: payload)
        return try await Waiter.answer { core.request(message, timeout, $0) }
    }

    /// Asks with text. See ``request(_:to:headers:timeout:)-([UInt8],_,_,_)``.
    public func request(
        _ text: String,
        to subject: String,
        headers: NATSHeaders = [:],
        timeout: Duration = .seconds(5)
    ) async throws -> NATSMessage {
        try await request(Array(text.utf8), to: subject, headers: headers, timeout: timeout)
    }

    /// Changes of the connection. Hot: a subscriber hears what happens after it subscribed.
    ///
    /// - Ends: never.
    /// - Fails: never.
    /// - Cancelling: lets go of the subscriber.
    /// - Buffers: at most 64 events on their way to the scheduler. Further ones are lost and counted.
    /// - Thread: the scheduler's.
    public func events<S: Scheduler>(
        on scheduler: S = ThreadScheduler.shared
    ) -> some Signal<NATSEvent, Never> {
        core.events.deliver(on: scheduler, limit: 64)
    }

    /// Takes back all subscriptions, lets them hear the messages that have come, sends the buffered messages, and ends the connection.
    /// Later operations fail with ``NATSError/Reason-swift.enum/closed``.
    ///
    /// It returns when the connection has ended. The observers of subscriptions may be busy then: their signals end after the
    /// last message. A task that is cancelled waits all the same; the connection is drained.
    ///
    /// - Parameter timeout: how long it may take.
    /// - Throws: ``NATSError`` when it takes longer, there is no connection just now, or the connection is lost meanwhile. Subscriptions
    ///   fail, too, then. The connection is ended all the same.
    public func drain(timeout: Duration = .seconds(30)) async throws(NATSError) {
        try await waitUntilDone { core.drain(timeout, $0) }
    }

    /// Ends the connection once all published messages are sent, or after a second. Subscriptions and requests that are under
    /// way fail with ``NATSError/Reason-swift.enum/closed``, and so do later operations.
    public func close() { core.close() }

    private func waitUntilDone(_ start: (@escaping NATSCommand.Done) -> Void) async throws(NATSError) {
        let result = await withCheckedContinuation { continuation in
            start { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}
