public import Bus
public import Foundation

extension NotificationCenter {
    /// The values extracted from typed messages that are posted on the main actor. Hot.
    ///
    /// ```
    /// post                                --M(1)--M(2)--N--
    /// messages(ofType: M.self) { $0.id }  --1-----2--------
    /// ```
    ///
    /// A `MainActorMessage` need not be `Sendable`; `extract` runs on the main actor, inside the posting, and its
    /// result may be sent anywhere. On Linux typed messages and notifications by name are separate: neither is heard
    /// as the other.
    ///
    /// - Ends: when the subject dies, if it is a `LifetimeOwner`; otherwise, for a dead subject, at the latest when
    ///   another object at its address posts, of which nothing is heard. Without a subject, never.
    /// - Fails: never.
    /// - Cancelling: takes the observer back before it returns.
    /// - Buffers: at most `limit` values, while the observer pauses or a callback posts. A poster is never kept
    ///   waiting; further values are lost and counted.
    /// - Thread: the main actor's.
    ///
    /// - Parameters:
    ///   - type: which messages.
    ///   - subject: the subject of the messages; any by default. It is not kept.
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already; by default the newest is lost.
    ///   - extract: extracts the value; nil skips the message.
    public func messages<Message: MainActorMessage, Output: Sendable>(
        ofType type: Message.Type,
        from subject: Message.Subject? = nil,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause,
        taking extract: @escaping @MainActor (Message) -> Output?
    ) -> some Signal<Output, Never> where Message.Subject: AnyObject {
        let subject = MessageSubject(subject)
        return Signals.create(of: Output.self, limit: limit, overflow: overflow) { [self] emitter in
            subject.observe(emitter) { object in
                let token = addObserver(of: object, for: Message.self) { message in
                    guard subject.isAlive else { return emitter.complete() }
                    if let value = extract(message) { emitter.send(value) }
                }
                return ActionDisposable { [weak self] in self?.removeObserver(token) }
            }
        }
    }
}
