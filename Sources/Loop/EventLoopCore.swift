import Bus
import CLinux
import Glibc

/// The object that the thread of an event loop waits with.
final class EventLoopCore: ThreadWaiter {
    /// The closure to call, and its kind.
    enum Kind {
        case plain(ReadyEvents, @Sendable (ReadyEvents) -> Void)
        case paced(@Sendable () -> Void)

        var events: ReadyEvents {
            switch self {
            case .plain(let events, _): events
            case .paced: .readable
            }
        }
    }

    private struct Watched {
        let id: UInt64
        let descriptor: CInt
        let kind: Kind
        /// Used by paced watches.
        var pace = ReadingPace()
    }

    /// When it was read last, and whether that was during a burst.
    private struct ReadingPace {
        var lastRead = Int64.min
        var isBurst = false
    }

    private struct State {
        /// Indexed by the lower half of their identities. A wake-up looks one up when caches have gone cold, where a
        /// dictionary would have to hash.
        var watched: [Watched?] = []
        var vacant: [Int] = []
        var added: UInt64 = 0
        var hasEnded = false

        subscript(id: UInt64) -> Watched? {
            let place = Int(id & UInt64(UInt32.max))
            guard place < watched.count, let found = watched[place], found.id == id else { return nil }
            return found
        }

        mutating func note(_ pace: ReadingPace, of id: UInt64) { watched[Int(id & UInt64(UInt32.max))]?.pace = pace }

        mutating func remove(_ id: UInt64) -> Watched? {
            guard let found = self[id] else { return nil }
            let place = Int(id & UInt64(UInt32.max))
            watched[place] = nil
            vacant.append(place)
            return found
        }
    }

    private static let wakeID = UInt64.max
    private static let capacity = 64
    /// How long a descriptor is left alone during a burst, in nanoseconds. The kernel may add the slack that it
    /// allows timers, 50 µs by default.
    private static let rest: Int64 = 100_000

    private let thread: WorkThread
    private let epoll: CInt
    /// Ends the wait. Watched for its edge, so that nothing has to read it.
    private let wakeup: CInt
    private let state = Lock(State())
    // Touched only on the thread.
    private nonisolated(unsafe) let ready: UnsafeMutablePointer<clinux_ready>
    /// Watches that are left alone, and until when.
    private nonisolated(unsafe) var resting: [(id: UInt64, end: Int64)] = []

    /// The core of `scheduler`, whose thread runs afterwards.
    static func of(_ scheduler: ThreadScheduler) throws(EventLoopError) -> EventLoopCore {
        let thread = scheduler.thread
        let waiter = try thread.waiter(
            orMake: { () throws(EventLoopError) in try EventLoopCore(thread) },
            refused: { EventLoopError(operation: "start the event loop's thread", code: $0.code) }
        )
        guard let core = waiter as? EventLoopCore else { preconditionFailure("\(waiter) is no event loop") }
        return core
    }

    private init(_ thread: WorkThread) throws(EventLoopError) {
        let epoll = try EventLoopError.check(clinux_epoll_create(), "create an epoll descriptor")
        do throws(EventLoopError) {
            wakeup = try EventLoopError.check(clinux_eventfd_create(), "create an eventfd descriptor")
        } catch {
            Glibc.close(epoll)
            throw error
        }
        self.epoll = epoll
        self.thread = thread
        ready = .allocate(capacity: Self.capacity)
        let events: ReadyEvents = [.readable, .edge]
        let result = clinux_epoll_add(epoll, wakeup, events.rawValue, Self.wakeID)
        // From here on the deinitialiser closes them.
        _ = try EventLoopError.check(result, "watch an eventfd descriptor")
    }

    deinit {
        Glibc.close(wakeup)
        Glibc.close(epoll)
        ready.deallocate()
    }

    func contains(_ id: UInt64) -> Bool { state.withLock { $0[id] != nil } }

    func add(_ descriptor: CInt, _ kind: Kind) throws(EventLoopError) -> UInt64 {
        // A child made by fork shares the parent's epoll descriptor.
        thread.checkProcess()
        return try state.withLock { state throws(EventLoopError) -> UInt64 in
            guard !state.hasEnded else {
                throw EventLoopError(operation: "watch descriptor \(descriptor)", code: ESHUTDOWN)
            }
            let place = state.vacant.last ?? state.watched.count
            // The upper half distinguishes it from earlier watches in its place.
            let id = (state.added &<< 32) | UInt64(place)
            _ = try EventLoopError.check(
                clinux_epoll_add(epoll, descriptor, kind.events.rawValue, id),
                "watch descriptor \(descriptor)"
            )
            state.added &+= 1
            let watched = Watched(id: id, descriptor: descriptor, kind: kind)
            if state.vacant.popLast() == nil { state.watched.append(watched) } else { state.watched[place] = watched }
            return id
        }
    }

    func remove(_ id: UInt64) {
        // The closure's captures are released after the lock is: their deinitialisers may run any code.
        _ = state.withLock { state -> Watched? in
            guard let watched = state.remove(id) else { return nil }
            // It fails only for a descriptor that its owner closed too soon, and then the kernel has removed it.
            _ = clinux_epoll_remove(epoll, watched.descriptor)
            return watched
        }
    }

    func again(_ id: UInt64) throws(EventLoopError) {
        try state.withLock { state throws(EventLoopError) in
            guard let watched = state[id] else { return }
            _ = try EventLoopError.check(
                clinux_epoll_again(epoll, watched.descriptor, watched.kind.events.rawValue, id),
                "watch descriptor \(watched.descriptor) again"
            )
        }
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
        // Without a thread there is no call in progress that it would have to follow.
        if !thread.add(work) { work() }
    }

    // MARK: The thread's

    func wake() {
        // It fails only when it is full, and then it has been signalled often enough.
        _ = clinux_eventfd_signal(wakeup)
    }

    func turn(mayWait: Bool) {
        let patience: Int64 = mayWait ? untilRested() : 0
        let count = clinux_epoll_wait(epoll, ready, CInt(Self.capacity), patience)
        // Its only errors are a descriptor or a buffer that is not ours.
        precondition(count >= 0, "epoll_wait failed with error \(-count): a descriptor of the event loop was closed")
        for index in 0..<Int(count) where ready[index].id != Self.wakeID { call(ready[index]) }
        if !resting.isEmpty { endRests() }
    }

    private func call(_ event: clinux_ready) {
        // An event of the same batch may have ended this watch.
        guard let watched = state.withLock({ $0[event.id] }) else { return }
        switch watched.kind {
        case .plain(_, let ready): ready(ReadyEvents(rawValue: event.events))
        case .paced(let read): call(watched, read)
        }
    }

    // MARK: Bursts

    var isResting: Bool { !resting.isEmpty }

    /// During a burst the descriptor is watched for one event at a time, after which the kernel stops watching it. If
    /// it were watched for no event at all, it would wake the thread each time, because neither inotify nor signals
    /// say which event they wake for.
    private func call(_ watched: Watched, _ read: () -> Void) {
        let now = MonotonicTime.nanoseconds
        let isSoon = watched.pace.lastRead > now &- Self.rest
        if isSoon, watched.pace.isBurst { return resting.append((watched.id, now &+ Self.rest)) }
        read()
        note(watched, isBurst: isSoon)
    }

    /// - Parameter isBurst: whether a burst is under way, so that the descriptor is watched for one event only.
    private func note(_ watched: Watched, isBurst: Bool) {
        let now = MonotonicTime.nanoseconds
        state.withLock { state in
            guard state[watched.id] != nil else { return }
            state.note(ReadingPace(lastRead: now, isBurst: isBurst), of: watched.id)
            guard isBurst || watched.pace.isBurst else { return }
            let events: ReadyEvents = isBurst ? [.readable, .once] : .readable
            // It is watched, so this fails only for one that its owner closed too soon.
            _ = clinux_epoll_again(epoll, watched.descriptor, events.rawValue, watched.id)
        }
    }

    /// How long the thread may sleep because of resting watches, in nanoseconds; below zero when there are none.
    private func untilRested() -> Int64 {
        guard let first = resting.map(\.end).min() else { return -1 }
        return max(0, first &- MonotonicTime.nanoseconds)
    }

    private func endRests() {
        let now = MonotonicTime.nanoseconds
        let rested = resting.filter { $0.end <= now }
        resting.removeAll { $0.end <= now }
        for (id, _) in rested {
            guard let watched = state.withLock({ $0[id] }), case .paced(let read) = watched.kind else { continue }
            read()
            note(watched, isBurst: true)
        }
    }

    func end() {
        let watched = state.withLock { state -> [Watched?] in
            defer { state.watched = [] }
            state.vacant = []
            state.hasEnded = true
            for case let watched? in state.watched { _ = clinux_epoll_remove(epoll, watched.descriptor) }
            return state.watched
        }
        _ = consume watched
    }
}
