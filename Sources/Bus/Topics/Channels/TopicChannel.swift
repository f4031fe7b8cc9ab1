import Synchronization

/// One topic on one bus.
@usableFromInline
class TopicChannel: @unchecked Sendable {
    // Immutable, like the properties of the subclass; hence unchecked.
    @usableFromInline let status: TopicStatus

    init(_ status: TopicStatus) {
        self.status = status
    }

    /// The type of the values, for messages.
    var valueType: Any.Type { Never.self }

    /// Lets the channel meet pattern subscribers that have come since it last looked, in its turn among the values.
    func meet() {}

    /// Forgets the values kept for newcomers.
    func clear() {}

    /// Ends the subscribers, behind the values posted before. `call` is released when they have ended.
    func close(_ call: LastCall) {}

    /// Frees the subscribers, which hear nothing.
    func abandon() {}

    /// How many values were lost because too many were waiting while another was being delivered.
    var lost: Int { 0 }
}

/// One topic on one bus, with the type of its values.
@usableFromInline
final class TypedChannel<Payload: Sendable>: TopicChannel, @unchecked Sendable {
    @usableFromInline let core: SerialObserver<ChannelList<Payload>>
    private let memory: TopicMemory<Payload>?
    /// The same topic on the bus that this bus is a child of.
    @usableFromInline let parent: TypedChannel<Payload>?

    init(_ status: TopicStatus, parent: TypedChannel<Payload>?, limit: Int) {
        memory = status.retention.count > 0 ? TopicMemory(status) : nil
        core = SerialObserver(ChannelList(status, memory), limit: limit, whilePaused: .pass)
        self.parent = parent
        super.init(status)
    }

    deinit {
        if let parent { parent.status.hub.leave(parent) }
    }

    @inlinable
    func post(_ value: Payload, _ origin: PostOrigin) {
        let uptime = status.wantsTime ? status.now : 0
        let demand = core.next(
            { $0.next(value, origin, uptime, nil) },
            orLater: { Posting(value, origin, uptime: uptime, address: nil) }
        )
        if let parent, demand != .stop { parent.forward(value, origin, uptime, from: status.address) }
    }

    /// Takes a value that was posted on a child.
    @usableFromInline
    func forward(_ value: Payload, _ origin: PostOrigin, _ uptime: Int64, from address: TopicAddress) {
        let uptime = uptime == 0 && status.wantsTime ? status.now : uptime
        _ = core.next(Posting(value, origin, uptime: uptime, address: address))
        parent?.forward(value, origin, uptime, from: address)
    }

    /// Adds a subscriber to values, in its turn among the values; returns the handle that removes it.
    @usableFromInline
    func attach(values slot: SubscriberSlot<Payload, Never>, _ account: SubscriberAccount) -> any Disposable {
        // Usually no thread delivers, and then there is nothing to wait for.
        if core.enter() {
            Self.add(slot, account, to: &core.downstream, core.termination)
            if slot.isPaused { core.heard(.pause) }
            core.leave(as: .visitor)
        } else {
            core.perform(as: .visitor) { list, termination in Self.add(slot, account, to: &list, termination) }
        }
        return SubjectSubscription(slot: slot, core: core)
    }

    private static func add(
        _ slot: SubscriberSlot<Payload, Never>,
        _ account: SubscriberAccount,
        to list: inout ChannelList<Payload>?,
        _ termination: Termination<Never>?
    ) {
        if let termination { slot.terminate(termination) } else { list?.add(slot, account) }
    }

    /// Adds a subscriber to envelopes, in its turn among the values; returns the handle that removes it.
    ///
    /// - Parameter start: the number after which it wants to hear.
    @usableFromInline
    func attach(
        envelopes slot: SubscriberSlot<Envelope<Payload>, Never>,
        _ account: SubscriberAccount,
        after start: UInt64 = 0
    ) -> any Disposable {
        core.perform(as: .visitor) { list, termination in
            if let termination {
                slot.terminate(termination)
            } else {
                list?.add(slot, account, after: start)
            }
        }
        return ActionDisposable { [core] in
            guard slot.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
            core.perform(as: .visitor) { list, _ in list?.remove(slot) }
        }
    }

    /// Reports that values are missing here. They take numbers.
    func lose(_ count: Int) {
        guard core.demand != .stop else { return }
        core.lost(count)
        parent?.lose(count)
    }

    /// Whether a subscriber would hear a value, or it would be kept.
    var isHeard: Bool {
        status.retention.count > 0 || status.subscribers.load(ordering: .relaxed) > 0
            || !status.hub.patterns(matching: status.address.name).subscribers.isEmpty || parent?.isHeard ?? false
    }

    /// The values kept for newcomers, the oldest first.
    var retained: [Envelope<Payload>] { memory?.values ?? [] }

    override var valueType: Any.Type { Payload.self }

    override func meet() {
        core.perform(as: .visitor) { list, _ in list?.meetNewcomers() }
    }

    override func clear() { memory?.clear() }

    override func close(_ call: LastCall) {
        core.perform { list, _ in
            list?.meetNewcomers()
            withExtendedLifetime(call) {}
        }
        core.terminate(.completed)
    }

    override func abandon() { core.abandon() }

    override var lost: Int { core.lost }
}
