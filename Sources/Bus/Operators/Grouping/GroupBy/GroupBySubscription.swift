/// One subscription to a `groupBy`.
///
/// The source is held while new groups are wanted or a group is subscribed to.
@usableFromInline
final class GroupBySubscription<Key: Hashable & Sendable, Element: Sendable, Downstream: Observer & ~Copyable>:
    Abandonable
where Downstream.Value == GroupedSignal<Key, Element, Downstream.Failure> {
    @usableFromInline typealias Failure = Downstream.Failure
    typealias Core = GroupCore<Key, Element, Failure>

    private struct State: Sendable {
        var table: GroupTable<Key, Core>
        /// New groups are wanted.
        var isOpen = true
        /// The failure that replaces the source's own end.
        var failure: Failure?
        /// The group of which a subscriber last had no room. It is a group of the table, because a group holds the
        /// subscription.
        private(set) var paused: Core?

        var wantsValues: Bool { failure == nil && (isOpen || !table.isEmpty) }

        mutating func pause(_ group: Core) {
            if table.group(for: group.key) === group { paused = group }
        }

        mutating func remove(_ group: Core) {
            if paused === group { paused = nil }
            table.remove(group, for: group.key)
        }

        mutating func removeOldest() -> Core? {
            let oldest = table.removeOldest()
            if paused === oldest { paused = nil }
            return oldest
        }

        mutating func removeAll() -> [Core] {
            paused = nil
            return table.removeAll()
        }
    }

    /// The handling of a value.
    private enum Step: Sendable {
        case send(Core)
        case start(Core, displaced: Core?)
        case lose
        case fail(@Sendable () -> Failure)
        case ignore
    }

    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let upstream = SerialDisposable()
    private let overflow: GroupOverflow<Failure>
    private let state: Lock<State>

    @usableFromInline
    init(_ output: SerialObserver<Downstream>, limit: Int, overflow: GroupOverflow<Failure>) {
        self.output = output
        self.overflow = overflow
        let findsOldest = if case .completeOldest = overflow { true } else { false }
        state = Lock(State(table: GroupTable(limit: limit, findsOldest: findsOldest)))
        // Not the source itself: groups that are subscribed to go on without the signal of groups.
        output.resources.add(
            ActionDisposable { [state, upstream] in Self.change(state, upstream) { $0.isOpen = false } }
        )
    }

    // MARK: The source's side

    @usableFromInline
    func next(_ value: Element, key: Key) -> Demand {
        while true {
            switch step(key) {
            case .send(let group):
                if send(value, to: group) { return demand }
                // Its last subscriber has just left; the value starts another group.
                forget(group)
            case .start(let group, let displaced):
                displaced?.end(.completed)
                // A subscriber that subscribes at once hears the value directly. Otherwise the value waits for a
                // later one.
                _ = output.next(GroupedSignal(core: group))
                if output.isClosing { stopped() }
                _ = send(value, to: group)
                return demand
            case .lose:
                output.lost(1)
                return demand
            case .fail(let makeFailure):
                let failure = makeFailure()
                state.withLock { $0.failure = failure }
                // The source is told to stop, releases its resources and brings the end.
                return .stop
            case .ignore:
                return demand
            }
        }
    }

    /// Sends a value, and notes when there is no room for another; returns whether the group is still wanted.
    private func send(_ value: Element, to group: Core) -> Bool {
        guard let answer = group.send(value) else { return false }
        if answer == .pause { state.withLock { $0.pause(group) } }
        return true
    }

    private func step(_ key: Key) -> Step {
        state.withLock { state -> Step in
            guard state.failure == nil else { return .ignore }
            if let group = state.table.group(for: key) { return .send(group) }
            guard state.isOpen else { return .ignore }
            var displaced: Core?
            if state.table.isFull {
                switch overflow {
                case .dropNewest: return .lose
                case .completeOldest: displaced = state.removeOldest()
                case .fail(let makeFailure): return .fail(makeFailure)
                }
            }
            let group = Core(key: key, lose: { [output] in output.lost(1) }, forget: { self.forget($0) })
            state.table.add(group, for: key)
            return .start(group, displaced: displaced)
        }
    }

    @usableFromInline
    func terminate(_ termination: Termination<Failure>) {
        let (groups, failure) = state.withLock { state -> ([Core], Failure?) in
            state.isOpen = false
            return (state.removeAll(), state.failure)
        }
        let end = failure.map { Termination.failed($0) } ?? termination
        for group in groups { group.end(end) }
        output.terminate(end)
    }

    @usableFromInline
    var demand: Demand {
        let (wantsValues, isOpen, paused) = state.withLock { ($0.wantsValues, $0.isOpen, $0.paused) }
        if !wantsValues { return .stop }
        if let paused, paused.isPaused { return .pause }
        return isOpen && output.demand == .pause ? .pause : .more
    }

    /// A subscriber of a group that has no room pauses the source, and so does the signal of groups.
    @usableFromInline
    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let (wantsValues, isOpen, paused) = state.withLock { ($0.wantsValues, $0.isOpen, $0.paused) }
        if !wantsValues { return .stop }
        if let paused, paused.whenReady(resume) == .pause { return .pause }
        return isOpen && output.demand == .pause && output.whenReady(resume) == .pause ? .pause : .more
    }

    @usableFromInline
    func abandon() {
        output.abandon()
        let groups = state.withLock { $0.removeAll() }
        for group in groups { group.end(nil) }
    }

    // MARK: The subscribers' side

    /// The observer of groups wants no more.
    private func stopped() {
        let isOver = state.withLock { state -> Bool in
            state.isOpen = false
            return state.table.isEmpty
        }
        // Otherwise the source, which is told to stop, releases its resources and brings the end.
        if !isOver { output.terminate(.completed) }
    }

    private func forget(_ group: Core) {
        Self.change(state, upstream) { $0.remove(group) }
    }

    /// Changes the state, and releases the source when nobody is left to hear it.
    private static func change(
        _ state: Lock<State>,
        _ upstream: SerialDisposable,
        _ body: @Sendable (inout State) -> Void
    ) {
        let isOver = state.withLock { state -> Bool in
            body(&state)
            return !state.isOpen && state.table.isEmpty
        }
        if isOver { upstream.dispose() }
    }
}
