/// The values with one key; sent by ``Signal/groupBy(limit:overflow:_:)``.
///
/// Hot once it has been subscribed to. The first subscriber misses nothing, because the values that come before it
/// wait for it. A later one hears the values that come after it subscribed.
///
/// A group lasts until its source ends, or until the last of its subscribers is gone. If it never had a subscriber,
/// it lasts until nobody holds it. Then it is forgotten: the next value with its key starts a new group, and a late
/// subscriber of the old one hears it complete.
public final class GroupedSignal<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Signal {
    /// The key that the values have in common.
    public let key: Key
    let core: GroupCore<Key, Value, Failure>

    init(core: GroupCore<Key, Value, Failure>) {
        key = core.key
        self.core = core
    }

    deinit {
        core.signalDropped()
    }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard let output = core.enter() else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        return output.attach(ReleasingObserver(observer, holding: GroupLease(core: core)))
    }

    public var chain: Chain { Chain(source: "group(\(key))") }
}

extension GroupedSignal: StartWaiting {
    @usableFromInline
    func waitToStart() { core.waitToStart() }
}

/// Keeps a group for as long as one subscriber of it lasts.
struct GroupLease<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: ReleasedAtEnd, ~Copyable {
    let core: GroupCore<Key, Value, Failure>

    deinit {
        core.leave()
    }

    /// A source that nobody else listens to is released.
    consuming func release() {}
}
