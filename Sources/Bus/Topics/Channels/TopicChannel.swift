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
        core = SerialObserver(ChannelList(status, memory, parent), limit: limit, whilePaused: .pass)
        self.parent = parent
        super.init(status)
        // Nobody else knows it yet.
        core.downstream?.core = core
        if parent != nil { core.downstream?.waitingAround = core.resources.scoped() }
    }

    deinit {
        if let parent { parent.status.hub.leave(parent) }
    }

    @inlinable
    func post(_ value: Payload, _ origin: CodeLocation) {
        let uptime = status.wantsTime ? status.now : 0
        _ = core.next(
            { $0.next(value, origin, uptime, nil) },
            orLater: { Posting(value, origin, uptime: uptime, address: nil) }
        )
    }

    /// Takes a value that was posted on a child, in its turn there. A bus that is closed or gone passes it on.
    @usableFromInline
    func forward(_ value: Payload, _ origin: CodeLocation, _ uptime: Int64, from address: TopicAddress) {
        let uptime = uptime == 0 && status.wantsTime ? status.now : uptime
        // Asked before: a subscriber that hears the value, which is passed on then, may close the bus.
        if core.isClosing {
            parent?.forward(value, origin, uptime, from: address)
        } else {
            _ = core.next(Posting(value, origin, uptime: uptime, address: address))
        }
    }

    /// ``Demand/pause`` while a subscriber here or on a bus around has no room.
    @usableFromInline
    var demand: Demand { core.demand == .more ? parent?.demandAround ?? .more : core.demand }

    private var demandAround: Demand { core.demand == .pause ? .pause : parent?.demandAround ?? .more }

    /// A caller that is called back asks again.
    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let demand = core.whenReady(resume)
        guard demand == .more, let parent else { return demand }
        // The end of this bus resumes, too: the bus around may have no room for long.
        let (request, resources) = (ActionDisposable(resume), core.resources)
        let token = resources.add(request)
        let withdraw: @Sendable () -> Void = { if let token { resources.remove(token) } }
        let call = LastCall {
            withdraw()
            request.dispose()
        }
        let answer = parent.whenReadyAround { withExtendedLifetime(call) {} }
        if answer != .pause {
            call.forgo()
            withdraw()
        }
        return answer
    }

    private func whenReadyAround(_ resume: @escaping @Sendable () -> Void) -> Demand {
        core.whenReady(resume) == .pause ? .pause : parent?.whenReadyAround(resume) ?? .more
    }

    /// Adds a subscriber to values, in its turn among the values; returns the handle that removes it.
    @usableFromInline
    func attach(values slot: SubscriberSlot<Payload, Never>, _ account: SubscriberAccount) -> any Disposable {
        if memory != nil {
            attach(slot, account, ReplayReader(slot) { (kept: Envelope<Payload>) in kept.value }) { $0.add(slot) }
        } else if core.enter() {
            // Usually no thread delivers, and then there is nothing to wait for.
            begin(slot, account, in: &core.downstream, core.termination) { $0.add(slot) }
            if slot.isPaused { core.heard(.pause) }
            core.leave(as: .visitor)
        } else {
            attach(slot, account, nil) { $0.add(slot) }
        }
        return SubjectSubscription(slot: slot, core: core)
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
        let reader = memory == nil ? nil : ReplayReader(slot) { (kept: Envelope<Payload>) in kept }
        attach(slot, account, reader, after: start) { $0.add(slot) }
        return ActionDisposable { [core] in
            guard slot.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
            core.perform(as: .visitor) { list, _ in if list == nil { slot.release() } else { list?.remove(slot) } }
        }
    }

    private func attach<Heard>(
        _ slot: SubscriberSlot<Heard, Never>,
        _ account: SubscriberAccount,
        _ reader: ReplayReader<Envelope<Payload>>?,
        after start: UInt64 = 0,
        join: @escaping @Sendable (inout ChannelList<Payload>) -> Void
    ) {
        core.perform(as: .visitor) { [self] list, termination in
            guard let reader, let memory, termination == nil else {
                return begin(slot, account, in: &list, termination, join: join)
            }
            account.begin(status, replayed: memory.snapshot.values.count { $0.sequence > start })
            core.replay(to: slot, reader, from: { memory.snapshot }, in: &list, termination, join: join)
        }
    }

    /// Adds a subscriber to which nothing is replayed.
    private func begin<Heard>(
        _ slot: SubscriberSlot<Heard, Never>,
        _ account: SubscriberAccount,
        in list: inout ChannelList<Payload>?,
        _ termination: Termination<Never>?,
        join: (inout ChannelList<Payload>) -> Void
    ) {
        if let termination { return slot.terminate(termination) }
        guard list != nil else { return }
        account.begin(status, replayed: 0)
        // Checked above; there is no other way to lend a list that cannot be copied.
        // swift-format-ignore: NeverForceUnwrap
        join(&list!)
    }

    /// Reports that values are missing here. They take numbers.
    func lose(_ count: Int) {
        guard count > 0 else { return }
        if core.isClosing { parent?.lose(count) } else { core.lost(count) }
    }

    /// Whether a subscriber would hear a value, or it would be kept.
    var wantsValues: Bool {
        status.retention.count > 0 || status.subscribers.load(ordering: .relaxed) > 0
            || !status.hub.patterns(matching: status.address.name).subscribers.isEmpty || parent?.wantsValues ?? false
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
            list?.patternReaders?.hold(call)
        }
        core.terminate(.completed)
    }

    override func abandon() { core.abandon() }

    override var lost: Int { core.lost }
}
