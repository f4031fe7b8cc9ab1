public import Bus
public import Dispatch

extension DispatchGroup {
    /// One value and completion when the group is empty. Cold.
    ///
    /// ```
    /// enter, leave  -e-e---l--l
    /// emptied(on:)  ----------()|
    /// ```
    ///
    /// - Ends: after the value; at once, on `queue`, for a group that is empty.
    /// - Fails: never.
    /// - Cancelling: frees the chain below. Dispatch cannot remove a notification: some 300 bytes of it stay until
    ///   the group is empty.
    /// - Thread: on `queue`.
    public func emptied(on queue: DispatchQueue) -> some Signal<Void, Never> {
        Signals.create(of: Void.self) { emitter in
            guard emitter.demand != .stop else { return nil }
            self.notify(queue: queue) {
                emitter.send(())
                emitter.complete()
            }
            return nil
        }
        .named("group")
    }
}

extension Signal {
    /// This signal; its subscriptions are members of a group while they last.
    ///
    /// ```
    /// self          --1--2--|
    /// group         e-------l
    /// entering      --1--2--|
    /// ```
    ///
    /// Each enters the group when it is made and leaves once: when the signal has ended, before that is heard; when it is
    /// disposed of; when its chain is freed. So `group.wait()` and `emptied(on:)` wait for subscriptions, too.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription and leaves.
    public func entering(_ group: DispatchGroup) -> some Signal<Value, Failure> {
        DescribedSignal(Signals.using({ group.enter() }, release: { group.leave() }) { _ in self }) {
            chain.appending("group")
        }
    }
}
