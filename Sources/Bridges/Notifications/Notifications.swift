public import Bus
public import Foundation

extension NotificationCenter {
    /// The values extracted from the notifications of a name, on the posting thread. Hot.
    ///
    /// ```
    /// post                    --A(1)--A(2)--B--A()--
    /// notifications(named: A) --1-----2-------------
    /// ```
    ///
    /// A `Notification` may hold anything and so must not leave the thread it was posted on. `extract` runs there, as
    /// part of the posting, and its result may be sent anywhere; the compiler checks that it is `Sendable`.
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
    /// The observer is called inside `post`, which returns when it has; the poster pays for the operators below. When
    /// two threads post at once, one delivers for both. A poster cannot be told to pause and is never kept waiting:
    /// values that are posted while the observer pauses wait for it, and further ones are lost and counted. Observers
    /// of one centre hear a notification in no particular order.
    ///
    /// A name is required, because an observer of all names ends the process when a typed message is posted
    /// (Foundation takes the message for a `Notification`). For the same reason the name must not be that of a
    /// message type, such as `MyModule.DidStart`, which is the name that Foundation posts it under.
    ///
    /// - Ends: when the object dies, if it is a `LifetimeOwner`; otherwise, for a dead object, at the latest when
    ///   another object at its address posts, of which nothing is heard. Without an object, never.
    /// - Fails: never.
    /// - Cancelling: takes the observer back before it returns. A notification that is being posted on another thread
    ///   may still call `extract`, and is not heard.
    /// - Buffers: at most `limit` values, while the observer pauses or another poster delivers.
    /// - Thread: the poster's, or that of another poster who is delivering.
    ///
    /// - Parameters:
    ///   - name: the name of the notifications.
    ///   - object: the object that posts; any by default. It is not kept, and compared by identity, so it has to be
    ///     an object and not a value.
    ///   - limit: how many values may wait.
    ///   - overflow: what happens to a value when so many wait already; by default the newest is lost and counted.
    ///   - extract: extracts the value; nil skips the notification.
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

    /// The posting of notifications of a name. See ``notifications(named:object:limit:overflow:taking:)``.
    @inlinable
    public func notifications(
        named name: Notification.Name,
        object: AnyObject? = nil,
        limit: Int = 1024,
        overflow: Overflow<Never> = .pause
    ) -> some Signal<Void, Never> {
        NotificationSignal(center: self, name: name, object: object, limit: limit, overflow: overflow) { _ in () }
    }

    /// The value that each notification of a name carries in its `userInfo` under a key; a notification without a
    /// value of that type is skipped. ``Bus/Signal/post(as:to:object:carrying:fileID:line:)`` puts it there. See
    /// ``notifications(named:object:limit:overflow:taking:)``.
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

    /// The key of a posted signal's value in `userInfo` by default: "value".
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
