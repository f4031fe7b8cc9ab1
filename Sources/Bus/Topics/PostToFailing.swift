extension Signal {
    /// Posts every value of a signal that can fail on a topic of a bus, and hands the failure to a closure.
    ///
    /// ```swift
    /// import Bus
    /// import JournalBridge
    ///
    /// let bus = NotificationBus()
    /// let entries = Topic<JournalItem>("journal.entry")
    /// let mount = Signals.journal(from: .tail(0)).post(to: entries, on: bus, failed: { print($0) })
    /// ```
    ///
    /// The failure is not posted, and the topic goes on. To try again, put `retry` before `post`. The rest is as with a
    /// signal that cannot fail.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - bus: the bus.
    ///   - waitsForRoom: whether the signal is told to pause while a subscriber of the topic has no room.
    ///   - failed: called once if the signal fails, where the signal sends. The subscription is over then.
    ///   - fileID: the file in ``Envelope/origin``.
    ///   - line: the same.
    /// - Returns: the handle that ends it.
    public func post(
        to topic: Topic<Value>,
        on bus: NotificationBus,
        waitsForRoom: Bool = false,
        failed: @escaping @Sendable (Failure) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        self.catch { failure in
            failed(failure)
            return Signals.empty(Value.self)
        }
        .post(to: topic, on: bus, waitsForRoom: waitsForRoom, fileID: fileID, line: line)
    }
}
