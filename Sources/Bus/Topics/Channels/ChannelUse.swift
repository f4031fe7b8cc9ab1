import Synchronization

/// A subscription's share in a channel and its place in the list of the bus, which are given up when it is disposed of.
@usableFromInline
final class ChannelUse: Disposable {
    private let channel: TopicChannel
    private let readsTime: Bool
    private let number: UInt64
    private let isOver = Atomic<Bool>(false)

    /// The channel has counted the user already.
    @usableFromInline
    init(_ channel: TopicChannel, readsTime: Bool, _ account: SubscriberAccount) {
        self.channel = channel
        self.readsTime = readsTime
        number = channel.status.hub.registry.add(account)
        channel.status.subscribers.add(1, ordering: .relaxed)
        if readsTime { channel.status.readersOfTime.add(1, ordering: .relaxed) }
    }

    @usableFromInline
    func dispose() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        channel.status.subscribers.subtract(1, ordering: .relaxed)
        if readsTime { channel.status.readersOfTime.subtract(1, ordering: .relaxed) }
        channel.status.hub.registry.remove(number)
        channel.status.hub.leave(channel)
    }

    @usableFromInline var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
