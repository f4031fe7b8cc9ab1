public import Bus
public import Foundation

extension Signal where Failure == Never {
    /// Posts a notification for each value.
    ///
    /// ```swift
    /// import Bus
    /// import Foundation
    /// import NotificationBridge
    ///
    /// let levels = Subject(of: Int.self)
    /// let subscription = levels.post(as: Notification.Name("LevelChanged"))
    /// levels.send(3)  // userInfo is ["value": 3]
    /// subscription.dispose()
    /// ```
    ///
    /// Observers run inside the posting, where this signal sends. Only a signal that cannot fail can be posted: turn
    /// a failure into a value before.
    ///
    /// - Parameters:
    ///   - name: of the notification; not that of a message type, such as `MyModule.DidStart`.
    ///   - center: where it is posted. Kept as long as the subscription.
    ///   - object: the object in the notifications; none by default. It is not kept; when it has died the posting
    ///     ends with the next value, or at once if it is a `LifetimeOwner`.
    ///   - userInfo: makes the notification's content; the value under `NotificationCenter.valueKey` by default.
    ///     Called where this signal sends.
    ///   - fileID: where the subscription is made, for `Subscriptions`.
    ///   - line: the same.
    /// - Returns: the handle that ends the posting.
    @discardableResult
    public func post(
        as name: Notification.Name,
        to center: NotificationCenter = .default,
        object: (any AnyObject & Sendable)? = nil,
        carrying userInfo: @escaping @Sendable (Value) -> [AnyHashable: Any] = { [NotificationCenter.valueKey: $0] },
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let poster = Poster(object)
        return subscribe(
            PostingObserver(
                lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line),
                poster: poster
            ) { value, object in
                center.post(name: name, object: object, userInfo: userInfo(value))
            },
            endingWith: poster.lifetime
        )
    }
}
