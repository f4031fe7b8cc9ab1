public import Bus
public import Foundation

extension NotificationCenter {
    /// Typed messages as they are posted, from any thread. Hot.
    ///
    /// ```
    /// post                      --M1--M2--N--M3--
    /// messages(ofType: M.self)  ----M1--M2-----M3
    /// ```
    ///
    /// An `AsyncMessage` is `Sendable` and heard later than it is posted. The order of posting is kept. (Foundation's
    /// own `addObserver(of:for:)` runs its observers side by side, in any order, and its `messages(of:for:)` forgets
    /// the oldest of ten silently.) On Linux typed messages and notifications by name are two worlds: neither is
    /// heard as the other.
    ///
    /// - Ends: when the subject is found dead, or at once if it is a `LifetimeOwner`. Messages that it posted and
    ///   that have not been heard by then are dropped: another object at its address may have posted them. Without a
    ///   subject, never.
    /// - Fails: never.
    /// - Cancelling: takes the observer back, in a moment.
    /// - Buffers: at most `limit` values for `scheduler`; further values are lost and counted. Between the poster and
    ///   that queue is Foundation's own queue, which either has no bound or does not report its losses. So it is
    ///   emptied as fast as a thread can, also while the observer pauses.
    /// - Thread: on `scheduler`.
    ///
    /// - Parameters:
    ///   - type: which messages.
    ///   - subject: the subject of the messages; any by default. It is not kept.
    ///   - scheduler: where they are heard.
    ///   - limit: how many may wait to be heard.
    ///   - overflow: which of them is lost when there are more. `pause` loses the newest, too, for a centre cannot be paused.
    public func messages<Message: AsyncMessage>(
        ofType type: Message.Type,
        from subject: Message.Subject? = nil,
        on scheduler: some Scheduler = ThreadScheduler.shared,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause
    ) -> some Signal<Message, Never> where Message.Subject: AnyObject {
        let subject = MessageSubject(subject)
        // There is one queue for waiting values; if the emitter were told to pause, it would be another.
        let overflow = if case .pause = overflow { Overflow<Never>.dropNewest } else { overflow }
        return Signals.create(of: Message.self) { [self] emitter in
            subject.observe(emitter) { object in
                MessagePump.start(messages(of: object, for: Message.self, bufferSize: .max), subject, emitter)
            }
        }
        .deliver(on: scheduler, limit: limit, overflow: overflow)
    }
}
