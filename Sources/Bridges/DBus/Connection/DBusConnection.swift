public import Bus

/// A connection to a bus. It is made when it is first needed, shared by all users of this object, and made again when
/// it is needed after it was lost.
///
/// A thread of its own reads from the bus and puts messages into bounded queues; no user code runs on it. A bus
/// disconnects clients that read too slowly, and counts the messages that it keeps for all connections of a user
/// together. So a slow subscriber must not keep the others' messages from being read.
///
/// Nothing is lost in silence: when the connection ends, each call and each subscription in progress fails with
/// ``DBusError/Reason-swift.enum/disconnected``. To go on, subscribe again, as `retry` does; the failure means that
/// signals may be missing.
///
/// ```swift
/// import Bus
/// import DBusBridge
///
/// let system = DBusConnection(.system)
/// let sleeps = system.signals(matching: DBusMatch(sender: "org.freedesktop.login1", member: "PrepareForSleep"))
/// let subscription = sleeps.subscribe(
///     next: { print($0.arguments.first?.bool == true ? "goes to sleep" : "is back") },
///     failed: { print($0) }
/// )
/// ```
///
/// It ends when this object and all that was made of it are released.
public final class DBusConnection: Sendable {
    /// The bus that it connects to, as it was given.
    public let address: DBusAddress
    let core: DBusCore

    /// Connects when it is first used.
    public init(_ address: DBusAddress) {
        self.address = address
        core = DBusCore(address)
    }

    /// The messages that match. By default the bus sends only signals. Cold: the first subscription with
    /// a rule adds it to the bus, the last removes it.
    ///
    /// ```
    /// bus                 --match--other--match--x
    /// signals(matching:)  --match---------match--x
    /// ```
    ///
    /// A subscription hears messages that are sent after the bus has taken its rule. A call that is made on the same
    /// connection after `subscribe` has returned reaches the bus after the rule.
    ///
    /// A sender that is given by its well-known name is followed: messages of other senders are not heard, also when
    /// another subscription of this connection asks for them. While nobody owns the name nothing is heard.
    ///
    /// - Ends: never.
    /// - Fails: when the bus cannot be reached, refuses the rule or is lost; when the match is invalid.
    /// - Cancelling: removes the rule, if no other subscription needs it.
    /// - Buffers: at most `limit` messages while the observer pauses, 64 on their way to the scheduler, and as many
    ///   being delivered there. Further messages are lost, the newest first, and counted. Large messages, of more
    ///   than 16 KiB, are also lost while those before them take 64 MiB of memory or more.
    /// - Thread: the scheduler's. `ImmediateScheduler` would call the observer on the connection's thread, and so keep all
    ///   others waiting.
    ///
    /// - Parameters:
    ///   - match: which messages.
    ///   - scheduler: delivers the messages; `bus-events` by default.
    ///   - limit: how many may wait.
    public func signals<S: Scheduler>(
        matching match: DBusMatch,
        on scheduler: S = ThreadScheduler.shared,
        limit: Int = 1024
    ) -> some Signal<DBusMessage, DBusError> {
        heard(match, limit: limit).deliver(on: scheduler, limit: 64).map(\.message)
    }

    /// The same on the connection's thread, for messages whose headers pass a test.
    package func signals(
        matching match: DBusMatch,
        admitting test: @escaping DBusHeaderTest
    ) -> some Signal<DBusMessage, DBusError> {
        heard(match, admitting: test).map(\.message)
    }

    private func heard(
        _ match: DBusMatch,
        admitting test: DBusHeaderTest? = nil,
        limit: Int = 1024
    ) -> some Signal<DBusParcel, DBusError> {
        Signals.create(of: DBusParcel.self, failure: DBusError.self, limit: limit) { [core] emitter in
            core.subscribe(to: match, EmitterListener(emitter: emitter, admitting: test))
        }
    }

    /// The answer to a call. Cold: every subscription calls.
    ///
    /// ```
    /// bus      ----answer
    /// reply    ----answer|
    /// ```
    ///
    /// - Ends: after the answer.
    /// - Fails: when the other side answers with an error or not in time; when the bus cannot be reached or is lost;
    ///   when the message breaks a rule of D-Bus.
    /// - Cancelling: forgets the call. It may be carried out all the same.
    /// - Thread: the scheduler's.
    public func reply<S: Scheduler>(
        to call: DBusCall,
        on scheduler: S = ThreadScheduler.shared
    ) -> some Signal<DBusMessage, DBusError> {
        Signals.create(of: DBusMessage.self, failure: DBusError.self, limit: 1) { [core] emitter in
            core.call(call) { result in
                switch result {
                case .success(let message):
                    emitter.send(message)
                    emitter.complete()
                case .failure(let error): emitter.fail(error)
                }
            }
        }
        .deliver(on: scheduler, limit: 1)
    }

    /// Calls, and waits in the task for the answer. A cancelled task no longer waits; the call may be carried out all
    /// the same.
    ///
    /// - Throws: ``DBusError``, as ``reply(to:on:)`` fails; `CancellationError` when the task is cancelled. A task that was
    ///   cancelled before makes no call.
    public func call(_ call: DBusCall) async throws -> DBusMessage {
        try await Waiter.answer { core.call(call, $0) }
    }

    /// Sends a signal to all listeners, or to one connection.
    ///
    /// It returns when the message is written, or in the connection's short queue; a cancelled task waits for that, too. To
    /// know that it was heard, make a call.
    ///
    /// - Throws: ``DBusError`` when the message breaks a rule of D-Bus, or the bus cannot be reached.
    public func emit(
        at path: String,
        interface: String,
        member: String,
        arguments: [DBusValue] = [],
        to destination: String? = nil
    ) async throws(DBusError) {
        let emission = DBusEmission(path, interface, member, arguments, destination)
        let result = await withCheckedContinuation { continuation in
            core.perform(.emit(emission) { continuation.resume(returning: $0) })
        }
        try result.get()
    }

    /// The sending of a signal. Cold: every subscription sends it once.
    ///
    /// ```
    /// bus        --signal
    /// emission   --()|
    /// ```
    ///
    /// With `flatMap(.concat)` it sends the values of another signal, in order; a signal that can pause waits while
    /// the bus takes no more.
    ///
    /// - Ends: after a value, when the message is written, or in the connection's short queue.
    /// - Fails: as ``emit(at:interface:member:arguments:to:)`` throws.
    /// - Cancelling: stops waiting; the signal may be sent all the same.
    /// - Thread: the connection's. The observer must be quick; `deliver(on:)` hands it to another.
    public func emission(
        at path: String,
        interface: String,
        member: String,
        arguments: [DBusValue] = [],
        to destination: String? = nil
    ) -> some Signal<Void, DBusError> {
        let emission = DBusEmission(path, interface, member, arguments, destination)
        return Signals.create(of: Void.self, failure: DBusError.self, limit: 1) { [core] emitter in
            core.perform(
                .emit(emission) { result in
                    switch result {
                    case .success:
                        emitter.send(())
                        emitter.complete()
                    case .failure(let error): emitter.fail(error)
                    }
                }
            )
            return nil
        }
    }

    /// Ends the connection once all messages are sent, or after a second. Calls and subscriptions in progress fail,
    /// and so do later ones.
    public func close() { core.close() }
}
