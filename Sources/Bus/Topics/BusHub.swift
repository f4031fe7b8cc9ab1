public import Synchronization

/// The state that a bus shares with its channels, posters and handles. It does not hold the ``NotificationBus``; the bus
/// empties it when it is dropped.
@usableFromInline
final class BusHub: Sendable {
    /// The patterns that match a topic, as of one version.
    struct Found {
        let subscribers: [PatternSubscriber]
        let version: UInt64
        /// The number of the newest subscriber of that version.
        let newest: UInt64
    }

    fileprivate struct State: Sendable {
        var channels: [TopicName: TopicChannel] = [:]
        /// The channels that keep values for newcomers.
        var keeping: [TopicName: TopicChannel] = [:]
        var patterns = PatternNode()
        /// How many pattern subscribers there have been.
        var patternNumber: UInt64 = 0
        var responders: [TopicName: AnyResponder] = [:]
        var children: [ObjectIdentifier: BusHub] = [:]
        var isClosed = false
        /// The number of channels at which unused ones are forgotten.
        var forgetsAt: Int
    }

    let scope: String
    let parent: BusHub?
    private let topicLimit: Int
    private let channelLimit: Int
    private let state: Lock<State>
    /// The subscribers that are not done.
    let listeners: ListenerList
    /// The subscribers of this bus, for `subscribers`.
    let registry = SubscriberRegistry()
    /// Changes with the patterns, under the lock; read by every post without it.
    @usableFromInline let version = Atomic<UInt64>(0)

    init(scope: String, parent: BusHub?, topicLimit: Int, channelLimit: Int) {
        self.scope = scope
        self.parent = parent
        self.topicLimit = max(1, topicLimit)
        self.channelLimit = channelLimit
        listeners = ListenerList(parent: parent?.listeners)
        state = Lock(State(forgetsAt: max(1, topicLimit)))
    }

    // MARK: Channels

    /// The channel of a topic, with one user more. The caller calls ``leave(_:)`` when it is done.
    @inlinable
    func use<Payload>(_ topic: Topic<Payload>) -> TypedChannel<Payload> {
        let channel = known(topic.name) ?? make(topic)
        guard type(of: channel) == TypedChannel<Payload>.self, channel.status.retention.count == topic.retention.count
        else {
            refuse(channel, topic)
        }
        // The class is final. A conditional cast would ask the runtime about it for every value that is posted by name.
        return unsafeDowncast(channel, to: TypedChannel<Payload>.self)
    }

    @usableFromInline
    func known(_ name: TopicName) -> TopicChannel? {
        state.withLock { state in
            guard let channel = state.channels[name] else { return nil }
            channel.status.users.add(1, ordering: .relaxed)
            return channel
        }
    }

    /// Gives up one use from ``use(_:)``.
    @usableFromInline
    func leave(_ channel: TopicChannel) {
        channel.status.users.subtract(1, ordering: .releasing)
    }

    @usableFromInline
    func refuse<Payload>(_ channel: TopicChannel, _ topic: Topic<Payload>) -> Never {
        // A precondition has no message in a release build.
        fatalError(
            """
            the topic \(topic.name) of \(Payload.self), which keeps \(topic.retention), is used on this bus as one of \
            \(channel.valueType), which keeps \(channel.status.retention)
            """
        )
    }

    @usableFromInline
    func make<Payload>(_ topic: Topic<Payload>) -> TopicChannel {
        let status = TopicStatus(TopicAddress(name: topic.name, scope: scope), keeping: topic.retention, on: self)
        // Its parent's channel has one user as long as this channel lives.
        let new = TypedChannel(status, parent: parent?.use(topic), limit: channelLimit)
        let (channel, forgotten) = state.withLock { state -> (TopicChannel?, [TopicChannel]) in
            if state.isClosed { return (nil, []) }
            if let channel = state.channels[topic.name] {
                channel.status.users.add(1, ordering: .relaxed)
                return (channel, [])
            }
            let forgotten = state.forgetUnused(keepingUpTo: topicLimit)
            new.status.users.add(1, ordering: .relaxed)
            state.channels[topic.name] = new
            if topic.retention.count > 0 { state.keeping[topic.name] = new }
            return (new, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        if channel == nil { new.close(LastCall {}) }
        return channel ?? new
    }

    /// The channels there are, in no order.
    var channels: [TopicChannel] { state.withLock { Array($0.channels.values) } }

    /// The channel of a topic, if there is one.
    func channel(_ name: TopicName) -> TopicChannel? { state.withLock { $0.channels[name] } }

    func clear(_ pattern: TopicPattern) {
        for (_, channel) in keeping(pattern) { channel.clear() }
    }

    /// The channels that keep values and match a pattern, as a copy of their own; see ``patterns(matching:)``.
    private func keeping(_ pattern: TopicPattern) -> [(name: TopicName, channel: TopicChannel)] {
        state.withLock { state in
            state.keeping.compactMap { pattern.matches($0.key) ? (name: $0.key, channel: $0.value) : nil }
        }
    }

    // MARK: Patterns

    /// Adds a subscriber, which is made with its number; nil once the bus is closed.
    ///
    /// It is numbered at the moment in which it is added: a channel that has seen a number has seen all before it.
    @usableFromInline
    func add(_ make: (UInt64) -> PatternSubscriber) -> PatternSubscriber? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.patternNumber += 1
            let subscriber = make(state.patternNumber)
            state.patterns.insert(subscriber)
            change()
            return subscriber
        }
    }

    /// Lists a subscriber; returns the handle that removes it. The handle names the subscriber by its number, because it must
    /// not hold its subscriber.
    @usableFromInline
    func removal(of subscriber: PatternSubscriber, _ account: SubscriberAccount) -> any Disposable {
        let listed = registry.add(account)
        return ActionDisposable { [self, number = subscriber.number, pattern = subscriber.pattern] in
            removeSubscriber(number, of: pattern)
            registry.remove(listed)
        }
    }

    private func removeSubscriber(_ number: UInt64, of pattern: TopicPattern) {
        let removed = state.withLock { state in
            change()
            return state.patterns.remove(number, of: pattern)
        }
        withExtendedLifetime(removed) {}
    }

    private func change() {
        version.add(1, ordering: .releasing)
    }

    /// Sends a new subscriber the kept values.
    @usableFromInline
    func replay(to subscriber: PatternSubscriber) {
        for (_, channel) in keeping(subscriber.pattern).sorted(by: { $0.name < $1.name }) { channel.meet() }
    }

    /// Searches under the lock. A copy that is searched without it would be correct, too: whoever changes the tree copies what is
    /// shared. But Thread Sanitizer does not see that the runtime's reference counts order the search before the change.
    func patterns(matching name: TopicName) -> Found {
        let (found, version, newest) = state.withLock { state -> ([PatternSubscriber], UInt64, UInt64) in
            (state.patterns.matching(name), self.version.load(ordering: .relaxed), state.patternNumber)
        }
        return Found(subscribers: PatternNode.sorted(found), version: version, newest: newest)
    }

    // MARK: Responders

    func responder(_ name: TopicName) -> AnyResponder? { state.withLock { $0.responders[name] } }

    /// Returns whether it is the topic's only one.
    func add(_ responder: AnyResponder) -> Bool {
        state.withLock { state in
            if state.isClosed || state.responders[responder.name] != nil { return false }
            state.responders[responder.name] = responder
            return true
        }
    }

    func remove(_ responder: AnyResponder) {
        let removed = state.withLock { state -> AnyResponder? in
            guard state.responders[responder.name] === responder else { return nil }
            return state.responders.removeValue(forKey: responder.name)
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: The end

    /// A bus inside this one.
    func makeChild(scope: String) -> BusHub {
        let child = BusHub(scope: scope, parent: self, topicLimit: topicLimit, channelLimit: channelLimit)
        let isOpen = state.withLock { state in
            if state.isClosed { return false }
            state.children[ObjectIdentifier(child)] = child
            return true
        }
        if !isOpen { child.close() }
        return child
    }

    private func remove(child: BusHub) {
        _ = state.withLock { $0.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// The subscribers of this bus, and then those of its children.
    var accounts: [SubscriberAccount] {
        let children = state.withLock { Array($0.children.values) }.sorted { $0.scope < $1.scope }
        return registry.accounts + children.flatMap(\.accounts)
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends all subscribers, behind the values posted before, and those of the children first.
    func close() {
        let state = takeChannels()
        for child in state.children.values { child.close() }
        // Topics in which values wait still send them to the subscribers of patterns.
        let call = LastCall { for subscriber in self.takePatterns().all { subscriber.complete() } }
        for channel in state.channels.values { channel.close(call) }
        listeners.close()
    }

    /// Frees all subscribers, which hear nothing.
    func abandon() {
        let state = takeChannels()
        let patterns = takePatterns()
        for channel in state.channels.values { channel.abandon() }
        withExtendedLifetime(patterns) {}
        registry.removeAll()
    }

    /// Admits no further subscriber, and returns the previous state.
    private func takeChannels() -> State {
        parent?.remove(child: self)
        return state.withLock { state in
            let before = state
            state = State(patterns: before.patterns, isClosed: true, forgetsAt: .max)
            return before
        }
    }

    private func takePatterns() -> PatternNode {
        state.withLock { state in
            let patterns = state.patterns
            state.patterns = PatternNode()
            change()
            return patterns
        }
    }
}

extension BusHub.State {
    /// Removes the channels that are unused, when there are more than the limit.
    fileprivate mutating func forgetUnused(keepingUpTo limit: Int) -> [TopicChannel] {
        guard channels.count >= forgetsAt else { return [] }
        let unused = channels.filter { $0.value.status.isUnused }
        for name in unused.keys {
            channels[name] = nil
            keeping[name] = nil
        }
        // Not at once again, if nearly all are in use: a new channel pays for looking at eight.
        forgetsAt = max(limit, channels.count + max(limit, channels.count) / 8)
        return Array(unused.values)
    }
}
