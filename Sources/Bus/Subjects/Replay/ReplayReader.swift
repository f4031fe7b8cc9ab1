import Synchronization

/// A late subscriber on its way through the kept values. It stops while the subscriber has no room; values that are
/// dropped meanwhile to make room for newer ones are reported to it as missing.
///
/// Touched only in the order of delivery of the list that keeps the values, one event at a time; hence unchecked.
final class ReplayReader<Kept: Sendable>: @unchecked Sendable {
    enum Progress {
        /// It has heard everything.
        case caughtUp
        /// It will be called when there is room.
        case waits
        /// It wants no more.
        case isOver
    }

    private let send: (Kept) -> Demand
    private let lose: (Int) -> Void
    private let whenReady: (@escaping @Sendable () -> Void) -> Demand
    private let demand: () -> Demand
    private var place: ReplayBuffer<Kept>.Place?

    /// - Parameters:
    ///   - demand: what the subscriber wants before the first value.
    ///   - send: sends it a value.
    ///   - lose: reports missing values.
    ///   - whenReady: asks it to call back.
    init(
        demand: @escaping () -> Demand = { .more },
        send: @escaping (Kept) -> Demand,
        lose: @escaping (Int) -> Void,
        whenReady: @escaping (@escaping @Sendable () -> Void) -> Demand
    ) {
        self.demand = demand
        self.send = send
        self.lose = lose
        self.whenReady = whenReady
    }

    /// A reader for a slot of a subject.
    convenience init<Heard, Failure>(
        _ slot: SubscriberSlot<Heard, Failure>,
        _ convert: @escaping (Kept) -> Heard
    ) {
        self.init(
            demand: {
                guard slot.isOpen.load(ordering: .acquiring), !slot.hasStopped else { return .stop }
                return slot.isPaused ? .pause : .more
            },
            send: { slot.send(convert($0)) },
            lose: { slot.lost($0) },
            whenReady: { resume in
                slot.isPaused = false
                let demand = slot.whenReady(resume)
                if demand != .more { slot.answered(demand) }
                return demand
            }
        )
    }

    /// Goes on. `resume` is called when the subscriber, which had no room, has some.
    func advance(through kept: ReplayBuffer<Kept>, resume: @escaping @Sendable () -> Void) -> Progress {
        var place = place ?? kept.start
        defer { self.place = place }
        var demand = demand()
        while true {
            if demand != .stop, kept.isEnd(place) { return .caughtUp }
            if demand == .pause {
                demand = whenReady(resume)
                if demand == .pause { return .waits }
            }
            if demand == .stop { return .isOver }
            demand = kept.read(from: &place, send: send, lose: lose)
        }
    }
}

/// The subscribers of a list that are still being sent kept values, and are not called for new ones.
///
/// Touched only in the list's order of delivery, one event at a time; hence unchecked.
@usableFromInline
final class ReplayReaders: @unchecked Sendable {
    private var releases: [ObjectIdentifier: () -> Void] = [:] {
        didSet { isEmpty = releases.isEmpty }
    }
    // Read for every value.
    @exclusivity(unchecked) @usableFromInline private(set) var isEmpty = true
    private var calls: [LastCall] = []

    // The list was dropped without an end; the chains below the slots must not live on with their readers.
    deinit {
        for release in releases.values { release() }
    }

    func add<Value, Failure>(_ slot: SubscriberSlot<Value, Failure>) {
        releases[ObjectIdentifier(slot)] = { slot.release() }
    }

    func remove<Value, Failure>(_ slot: SubscriberSlot<Value, Failure>) {
        guard releases.removeValue(forKey: ObjectIdentifier(slot)) != nil, releases.isEmpty else { return }
        // Each call is made when its last holder releases it.
        calls = []
    }

    /// Holds a call until there are none of them.
    func hold(_ call: LastCall) { calls.append(call) }

    /// The list has ended. The subscribers hear the rest, and then the end.
    func leaveList() {
        releases = [:]
        calls = []
    }
}

/// A list that sends a late subscriber what it keeps.
protocol ReplayingList: SubscriberList, ~Copyable {
    /// Those that are still being sent what is kept; `nil` if it keeps nothing.
    var readers: ReplayReaders? { get }
}

extension SerialObserver where Downstream: ReplayingList & ~Copyable {
    /// Sends a late subscriber what is kept, as far as it has room, and goes on when it has more. Called in its turn
    /// among the events.
    ///
    /// - Parameters:
    ///   - slot: the subscriber.
    ///   - reader: its place in what is kept.
    ///   - kept: what is kept.
    ///   - list: the list, until its end.
    ///   - termination: its end.
    ///   - join: adds the subscriber, which has heard everything, to the list.
    func replay<Kept, Heard>(
        to slot: SubscriberSlot<Heard, Failure>,
        _ reader: ReplayReader<Kept>,
        from kept: @escaping @Sendable () -> ReplayBuffer<Kept>,
        in list: inout Downstream?,
        _ termination: Termination<Failure>?,
        join: @escaping @Sendable (inout Downstream) -> Void
    ) {
        let progress = reader.advance(through: kept()) { [self] in
            perform { [self] list, termination in
                replay(to: slot, reader, from: kept, in: &list, termination, join: join)
            }
        }
        guard progress != .waits else {
            list?.readers?.add(slot)
            return
        }
        list?.readers?.remove(slot)
        if let termination {
            slot.terminate(slot.hasStopped ? .completed : termination)
        } else if slot.hasStopped {
            slot.terminate(.completed)
        } else if progress == .caughtUp, list != nil {
            // Checked above; there is no other way to lend a list that cannot be copied.
            // swift-format-ignore: NeverForceUnwrap
            join(&list!)
        } else {
            // Disposed of, or its list was dropped.
            slot.release()
        }
    }
}
