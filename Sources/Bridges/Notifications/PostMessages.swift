public import Bus
public import Foundation

extension Signal where Failure == Never, Value: NotificationCenter.AsyncMessage, Value.Subject: AnyObject & Sendable {
    /// Posts each value, which is a typed message. Observers hear it later, on threads of Swift's pool.
    ///
    /// - Parameters:
    ///   - center: where it is posted. Kept as long as the subscription.
    ///   - subject: the subject of the messages; none by default. It is not kept; when it has died the posting ends
    ///     with the next value, or at once if it is a `LifetimeOwner`.
    ///   - fileID: where the subscription is made, for `Subscriptions`.
    ///   - line: the same.
    /// - Returns: the handle that ends the posting.
    @discardableResult
    public func post(
        to center: NotificationCenter = .default,
        from subject: Value.Subject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let poster = Poster(subject)
        return subscribe(
            PostingObserver(
                lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line),
                poster: poster
            ) { value, subject in
                if let subject = subject as? Value.Subject {
                    center.post(value, subject: subject)
                } else {
                    center.post(value)
                }
            },
            endingWith: poster.lifetime
        )
    }
}

extension Signal
where Failure == Never, Value: NotificationCenter.MainActorMessage, Value.Subject: AnyObject & Sendable {
    /// Posts each value, which is a typed message, on the main actor; observers run there, inside the posting.
    ///
    /// At most `limit` values wait for the main actor. Then this signal is told to pause; if it cannot, the newest are lost.
    ///
    /// - Parameters:
    ///   - center: where it is posted. Kept as long as the subscription.
    ///   - subject: the subject of the messages; none by default. It is not kept; when it has died the posting ends
    ///     with the next value, or at once if it is a `LifetimeOwner`.
    ///   - limit: how many values may wait.
    ///   - fileID: where the subscription is made, for `Subscriptions`.
    ///   - line: the same.
    /// - Returns: the handle that ends the posting.
    @discardableResult
    public func postOnMainActor(
        to center: NotificationCenter = .default,
        from subject: Value.Subject? = nil,
        limit: Int = 1024,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        let poster = Poster(subject)
        return deliver(on: ActorScheduler(MainActor.shared), limit: limit).subscribe(
            PostingObserver(
                lease: SubscriptionLease(chain, of: Self.self, fileID: fileID, line: line),
                poster: poster
            ) { value, subject in
                MainActor.assumeIsolated {
                    if let subject = subject as? Value.Subject {
                        center.post(value, subject: subject)
                    } else {
                        center.post(value)
                    }
                }
            },
            endingWith: poster.lifetime
        )
    }
}
