import Bus
import CLinux
import Glibc
import Synchronization

/// What the thread of an event loop holds, so that it does not hold the loop.
final class EventLoopCore: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Watched {
        let descriptor: CInt
        let events: ReadyEvents
        let ready: @Sendable (ReadyEvents) -> Void
    }

    private struct Running {
        let epoll: CInt
        /// Wakes the thread.
        let wake: CInt
    }

    private struct State {
        /// Nil before the first use and after the end.
        var running: Running?
        var watched: [UInt64: Watched] = [:]
        var work: [Work] = []
        var lastID = EventLoopCore.wakeID
        var isStopped = false
    }

    private static let wakeID: UInt64 = 0

    private let name: String
    private let state = Lock(State())
    private let thread = Atomic<UInt>(0)

    init(name: String) {
        self.name = name
    }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthreadSelf() }

    func contains(_ id: UInt64) -> Bool { state.withLock { $0.watched[id] != nil } }

    func add(
        _ descriptor: CInt,
        _ events: ReadyEvents,
        _ ready: @escaping @Sendable (ReadyEvents) -> Void
    ) throws(EventLoopError) -> UInt64 {
        try start()
        return try state.withLock { state throws(EventLoopError) -> UInt64 in
            guard let running = state.running else {
                throw EventLoopError(operation: "watch descriptor \(descriptor)", code: ESHUTDOWN)
            }
            let id = state.lastID + 1
            _ = try EventLoopError.check(
                clinux_epoll_add(running.epoll, descriptor, events.rawValue, id),
                "watch descriptor \(descriptor)"
            )
            state.lastID = id
            state.watched[id] = Watched(descriptor: descriptor, events: events, ready: ready)
            return id
        }
    }

    func remove(_ id: UInt64) {
        // What the closure holds is released after the lock is: its deinitialiser may be anybody's.
        _ = state.withLock { state -> Watched? in
            guard let watched = state.watched.removeValue(forKey: id) else { return nil }
            // It fails only for a descriptor that its owner closed too soon, and then the kernel has removed it.
            if let running = state.running { _ = clinux_epoll_remove(running.epoll, watched.descriptor) }
            return watched
        }
    }

    func again(_ id: UInt64) throws(EventLoopError) {
        try state.withLock { state throws(EventLoopError) in
            guard let watched = state.watched[id], let running = state.running else { return }
            _ = try EventLoopError.check(
                clinux_epoll_again(running.epoll, watched.descriptor, watched.events.rawValue, id),
                "watch descriptor \(watched.descriptor) again"
            )
        }
    }

    func perform(_ work: @escaping Work) {
        let isAccepted = state.withLock { state -> Bool in
            guard let running = state.running else { return false }
            state.work.append(work)
            if state.work.count == 1 { _ = clinux_eventfd_signal(running.wake) }
            return true
        }
        // With no thread there is no call under way that it would have to come after.
        if !isAccepted { work() }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let running = state.running { _ = clinux_eventfd_signal(running.wake) }
        }
    }

    func start() throws(EventLoopError) {
        try state.withLock { state throws(EventLoopError) in
            guard state.running == nil, !state.isStopped else { return }
            let running = try Self.open()
            do throws(PinnedThread.StartError) {
                try PinnedThread.start(name: name) { self.run(running) }
            } catch {
                Self.close(running)
                throw EventLoopError(operation: "start the event loop's thread", code: error.code)
            }
            state.running = running
        }
    }

    private static func open() throws(EventLoopError) -> Running {
        let epoll = try EventLoopError.check(clinux_epoll_create(), "create an epoll descriptor")
        do throws(EventLoopError) {
            let wake = try EventLoopError.check(clinux_eventfd_create(), "create an eventfd descriptor")
            let running = Running(epoll: epoll, wake: wake)
            do throws(EventLoopError) {
                let readable = ReadyEvents.readable.rawValue
                _ = try EventLoopError.check(
                    clinux_epoll_add(epoll, wake, readable, wakeID),
                    "watch an eventfd descriptor"
                )
                return running
            } catch {
                Glibc.close(wake)
                throw error
            }
        } catch {
            Glibc.close(epoll)
            throw error
        }
    }

    private static func close(_ running: Running) {
        Glibc.close(running.wake)
        Glibc.close(running.epoll)
    }

    // MARK: On the loop's thread

    private func run(_ running: Running) {
        thread.store(pthreadSelf(), ordering: .relaxed)
        var ready = [clinux_ready](repeating: clinux_ready(), count: 64)
        while true {
            let count = clinux_epoll_wait(running.epoll, &ready, CInt(ready.count))
            // Its only errors are a descriptor or a buffer that is not ours.
            precondition(
                count >= 0,
                "epoll_wait failed with error \(-count): a descriptor of the event loop was closed"
            )
            for event in ready.prefix(Int(count)) {
                if event.id == Self.wakeID {
                    _ = clinux_eventfd_clear(running.wake)
                } else {
                    call(event)
                }
            }
            if performWork(running) == .stopped { return }
        }
    }

    private func call(_ event: clinux_ready) {
        // An event of the same batch may have ended this watch.
        let ready = state.withLock { $0.watched[event.id]?.ready }
        ready?(ReadyEvents(rawValue: event.events))
    }

    private enum Phase { case running, stopped }

    private func performWork(_ running: Running) -> Phase {
        let (work, watched, phase) = state.withLock { state -> ([Work], [UInt64: Watched], Phase) in
            defer { state.work = [] }
            guard state.isStopped else { return (state.work, [:], .running) }
            defer { state.watched = [:] }
            state.running = nil
            return (state.work, state.watched, .stopped)
        }
        for work in work { work() }
        if phase == .stopped { Self.close(running) }
        // Released here and not under the lock.
        _ = watched
        return phase
    }
}
