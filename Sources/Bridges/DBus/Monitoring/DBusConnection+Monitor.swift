public import Bus

extension DBusConnection {
    /// All messages on the bus, including calls between other programs and their answers. Cold: every subscription
    /// makes a connection of its own, which only hears. That connection is not the one that this object shares.
    ///
    /// ```
    /// bus       --signal--call--answer--x
    /// monitor   --signal--call--answer--x
    /// ```
    ///
    /// A bus allows this to few: the system bus to root, the session bus to its user. It compares the members of
    /// `matches` with the messages' headers and strings, as for ``signals(matching:on:limit:)``; a well-known name is
    /// that of a signal's sender or a call's destination, as the message spells it.
    ///
    /// - Ends: never.
    /// - Fails: when the bus cannot be reached, does not allow it or is lost; when a match is invalid.
    /// - Cancelling: closes the connection.
    /// - Buffers: at most `limit` messages while the observer pauses, 64 on their way to the scheduler, and as many
    ///   being delivered there. Further messages are lost, the newest first, and counted. Large messages, of more
    ///   than 16 KiB, are also lost while those before them take 64 MiB of memory or more.
    /// - Thread: the scheduler's. `ImmediateScheduler` would call the observer on the connection's thread.
    ///
    /// - Parameters:
    ///   - matches: which messages; one match has to hold. None means all. A match that should mean more than signals has nil for its kind.
    ///   - scheduler: delivers the messages; `bus-events` by default.
    ///   - limit: how many may wait.
    public func monitor<S: Scheduler>(
        matching matches: [DBusMatch] = [],
        on scheduler: S = ThreadScheduler.shared,
        limit: Int = 1024
    ) -> some Signal<DBusMessage, DBusError> {
        monitored(matches, limit: limit).deliver(on: scheduler, limit: 64).map(\.message)
    }

    /// The same on the connection's thread, for messages whose headers pass a test.
    package func monitor(
        matching matches: [DBusMatch],
        admitting test: @escaping DBusHeaderTest
    ) -> some Signal<DBusMessage, DBusError> {
        monitored(matches, admitting: test).map(\.message)
    }

    private func monitored(
        _ matches: [DBusMatch],
        admitting test: DBusHeaderTest? = nil,
        limit: Int = 1024
    ) -> some Signal<DBusParcel, DBusError> {
        Signals.create(of: DBusParcel.self, failure: DBusError.self, limit: limit) { [address] emitter in
            if let (match, flaw) = matches.lazy.compactMap({ match in match.flaw.map { (match, $0) } }).first {
                emitter.fail(DBusError(.invalid(flaw), "monitor \(match.rule)"))
                return nil
            }
            let link = DBusLink(address)
            let monitor = DBusMonitor(rules: matches.map(\.rule), emitter: emitter, admitting: test)
            link.start {
                monitor.run(link)
            } orFail: {
                emitter.fail($0)
            }
            return ActionDisposable { link.close() }
        }
    }
}
