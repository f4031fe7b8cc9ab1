package import Bus

/// Waits for many descriptors on the thread of a scheduler and calls back when one is ready.
///
/// The scheduler's thread starts with the first use and waits here from then on, instead of for work alone; it wakes only
/// when a watched descriptor is ready or when it is given something to do. All signals are blocked in it.
package struct EventLoop: Sendable {
    /// Serves signals and timers whose scheduler is of another kind. Only short code of the package is called on its
    /// thread: it reads the descriptor and hands over to a scheduler. Never user code, and nothing that waits.
    package static let shared = EventLoop(name: "bus-loop")

    private let scheduler: ThreadScheduler

    /// - Parameter name: the name that `ps -L` shows for the thread; the first 15 bytes count.
    package init(name: String) {
        self.init(on: ThreadScheduler(name: name))
    }

    /// It makes its calls between two pieces of the scheduler's work. It holds the scheduler, whose thread ends when
    /// nobody does.
    package init(on scheduler: ThreadScheduler) {
        self.scheduler = scheduler
    }

    /// The loop that wakes `scheduler` soonest: its own thread's, if the scheduler can wait there.
    package static func serving(_ scheduler: some Scheduler) -> EventLoop {
        (scheduler as? ThreadScheduler).map { EventLoop(on: $0) } ?? .shared
    }

    /// Whether it makes its calls on the thread of `scheduler`.
    package func isOn(_ scheduler: some Scheduler) -> Bool { scheduler as? ThreadScheduler === self.scheduler }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { scheduler.isCurrent }

    /// Calls `ready` on the loop's thread whenever the descriptor is ready for one of `events`, and again as long as
    /// it is: data that is not read is reported again.
    ///
    /// The descriptor stays the caller's. The caller closes it no sooner than ``Watch/cancel(then:)`` says. A
    /// descriptor can be watched once at a time.
    /// - Throws: when the system has no capacity for another watch, cannot watch this kind of file, or cannot start the
    ///   loop.
    package func watch(
        _ descriptor: CInt,
        for events: ReadyEvents = .readable,
        _ ready: @escaping @Sendable (ReadyEvents) -> Void
    ) throws(EventLoopError) -> Watch {
        try watch(descriptor, .plain(events, ready))
    }

    /// The same for sources that come in bursts: a descriptor that is readable again within 100 µs of having been
    /// read is then read once in 100 µs, so that the thread does not wake for each event. Events that come less often
    /// never wait.
    package func watch(
        paced descriptor: CInt,
        _ read: @escaping @Sendable () -> Void
    ) throws(EventLoopError) -> Watch {
        try watch(descriptor, .paced(read))
    }

    /// Whether a descriptor is being left alone during a burst. Asked on the loop's thread.
    package var isResting: Bool {
        get throws(EventLoopError) { try EventLoopCore.of(scheduler).isResting }
    }

    private func watch(_ descriptor: CInt, _ kind: EventLoopCore.Kind) throws(EventLoopError) -> Watch {
        let core = try EventLoopCore.of(scheduler)
        return Watch(id: try core.add(descriptor, kind), core: core)
    }

    /// Runs `work` on the loop's thread, after the calls in progress there. Does not wait for it.
    package func perform(_ work: @escaping @Sendable () -> Void) throws(EventLoopError) {
        try EventLoopCore.of(scheduler).perform(work)
    }

    /// A descriptor under watch. Dropping it leaves the watch in place.
    package struct Watch: Disposable {
        fileprivate let id: UInt64
        fileprivate let core: EventLoopCore

        /// Ends the watch. On the loop's thread nothing is called after that; elsewhere one call may be under way.
        package func dispose() { core.remove(id) }

        /// Ends the watch and runs `work` on the loop's thread when no call is in progress any more: the place to
        /// close the descriptor. Does not wait for it. When the watch had ended already, `work` runs all the same.
        package func cancel(then work: @escaping @Sendable () -> Void) {
            core.remove(id)
            core.perform(work)
        }

        /// Watches a descriptor again that was watched with ``ReadyEvents/once`` and was reported. Does nothing once
        /// the watch has ended.
        package func again() throws(EventLoopError) { try core.again(id) }

        package var isDisposed: Bool { !core.contains(id) }
    }
}
