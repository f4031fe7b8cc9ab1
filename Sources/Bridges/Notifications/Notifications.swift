public import Bus
public import Foundation

extension NotificationCenter {
    /// What is taken out of each notification of a name, where it is posted. Hot.
    ///
    /// ```
    /// post                    --A(1)--A(2)--B--A()--
    /// notifications(named: A) --1-----2-------------
    /// ```
    ///
    /// A `Notification` may hold anything and so must not leave the thread it was posted on. `extract` runs there, as part
    /// of the posting, and what it returns may go anywhere; that it is `Sendable` the compiler checks.
    ///
    /// ```swift
    /// import Bus
    /// import Foundation
    /// import NotificationBridge
    ///
    /// let saved = Notification.Name("Saved")
    /// let files = NotificationCenter.default.notifications(named: saved) { $0.userInfo?["file"] as? String }
    /// let subscription = files.subscribe(next: { print($0) })
    /// NotificationCenter.default.post(name: saved, object: nil, userInfo: ["file": "notes"])
    /// subscription.dispose()
    /// ```
    ///
    /// The observer is called inside `post`, which returns when it has; the poster pays for what stands below. When two
    /// threads post at once, one delivers for both. Whoever posts cannot be told to pause and is never kept waiting: what is
    /// posted while the observer pauses waits for it, and what is too much is lost and counted. Observers of one centre hear a notification in no particular order.
    ///
    /// A name must be told, for one observer of all names ends the process when a typed message is posted (Foundation
    /// takes the message for a `Notification`). For the same reason the name must not be that of a message type, such as
    /// `MyModule.DidStart`, which is what Foundation posts it under.
    ///
    /// - Ends: when the object dies, if it is a `LifetimeOwner`; else, for an object that died, no later than
    ///   something else at its address posts, of which nothing is heard. Without an object, never.
    /// - Fails: never.
    /// - Cancelling: takes the observer back before it returns. A notification that is being posted on another thread
    ///   may still call `extract`, and is not heard.
    /// - Buffers: at most `limit` values, while the observer pauses or another poster delivers.
    /// - Thread: the poster's, or that of another poster who is delivering.
    ///
    /// - Parameters:
    ///   - name: what is listened to.
    ///   - object: whose notifications are listened to; anybody's unless told. It is not kept, and compared by identity,
    ///     so it has to be an object and not a value.
    ///   - limit: how many values may wait.
    ///   - overflow: what becomes of a value that finds so many waiting; by default the newest is lost and counted.
    ///   - extract: takes what is needed; nil skips the notification.
    @inlinable
    public func notifications<Output: Sendable>(
        named name: Notification.Name,
        object: AnyObject? = nil,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause,
        taking extract: @escaping @Sendable (Notification) -> Output?
    ) -> some Signal<Output, Never> {
        NotificationSignal(
            center: self,
            name: name,
            object: object,
            limit: limit,
            overflow: overflow,
            extract: extract
        )
    }

    /// That notifications of a name are posted. See ``notifications(named:object:limit:overflow:taking:)``.
    @inlinable
    public func notifications(
        named name: Notification.Name,
        object: AnyObject? = nil,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause
    ) -> some Signal<Void, Never> {
        NotificationSignal(center: self, name: name, object: object, limit: limit, overflow: overflow) { _ in () }
    }

    /// The value that each notification of a name carries in its `userInfo` under a key; one that carries none of that
    /// type is skipped. ``Bus/Signal/post(as:to:object:carrying:fileID:line:)`` puts it there. See ``notifications(named:object:limit:overflow:taking:)``.
    @inlinable
    public func notifications<Output: Sendable>(
        named name: Notification.Name,
        object: AnyObject? = nil,
        carrying type: Output.Type,
        under key: String = NotificationCenter.valueKey,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause
    ) -> some Signal<Output, Never> {
        NotificationSignal(center: self, name: name, object: object, limit: limit, overflow: overflow) {
            $0.userInfo?[key] as? Output
        }
    }

    /// Where a posted signal's value lies in `userInfo`, unless told: "value".
    public static let valueKey = "value"

    /// Not to be had: an observer of every name ends the process when a typed message is posted.
    @available(
        *,
        unavailable,
        message: "an observer of every name ends the process when a typed message is posted; merge the names you need"
    )
    public func notifications(
        named name: Notification.Name?,
        object: AnyObject? = nil
    ) -> some Signal<Void, Never> {
        Signals.never()
    }
}
