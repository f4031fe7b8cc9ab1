import Bus

/// Waits for many descriptors on one thread and says when one is ready.
///
/// The thread starts with the first use and ends when the loop is released; `shared` lives as long as the process.
/// All signals are blocked in it. It wakes only when a watched descriptor is ready or when it is given something to do.
///
/// What is called on the thread is the package's own code and short: it reads the descriptor and hands over to a
/// scheduler. Never user code, nothing that waits; but the loop of a ``TimerThread`` is that scheduler.
package final class EventLoop: Sendable {
    package static let shared = EventLoop(name: "bus-loop")

    private let core: EventLoopCore

    /// - Parameter name: what `ps -L` shows for the thread; the first 15 bytes count.
    package init(name: String) {
        core = EventLoopCore(name: name)
    }

    deinit {
        core.stop()
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { core.isCurrent }

    /// Calls `ready` on the loop's thread whenever the descriptor is ready for one of `events`, until it no longer is:
    /// what is not read is reported again.
    ///
    /// The descriptor stays the caller's, who closes it no sooner than ``Watch/cancel(then:)`` says. A descriptor can
    /// be watched once at a time.
    /// - Throws: when the system has no room for another watch, cannot watch this kind of file, or cannot start the
    ///   loop.
    package func watch(
        _ descriptor: CInt,
        for events: ReadyEvents = .readable,
        _ ready: @escaping @Sendable (ReadyEvents) -> Void
    ) throws(EventLoopError) -> Watch {
        Watch(id: try core.add(descriptor, events, ready), core: core)
    }

    /// Starts the thread, when there is none yet.
    package func start() throws(EventLoopError) { try core.start() }

    /// Runs `work` on the loop's thread, after what is being called there. Does not wait for it. The thread was started.
    package func performOnStarted(_ work: @escaping @Sendable () -> Void) { core.perform(work) }

    /// Runs `work` on the loop's thread, after what is being called there. Does not wait for it.
    package func perform(_ work: @escaping @Sendable () -> Void) throws(EventLoopError) {
        try core.start()
        core.perform(work)
    }

    /// A descriptor under watch. Dropping it leaves the watch in place.
    package struct Watch: Disposable {
        fileprivate let id: UInt64
        fileprivate let core: EventLoopCore

        /// Ends the watch. On the loop's thread nothing is called after that; elsewhere one call may be under way.
        package func dispose() { core.remove(id) }

        /// Ends the watch and runs `work` on the loop's thread when no call is under way any more: the place to close
        /// the descriptor. Does not wait for it. When the watch had ended already, `work` runs all the same.
        package func cancel(then work: @escaping @Sendable () -> Void) {
            core.remove(id)
            core.perform(work)
        }

        /// Looks again at a descriptor that is watched with ``ReadyEvents/once`` and was reported. Does nothing once the
        /// watch has ended.
        package func again() throws(EventLoopError) { try core.again(id) }

        package var isDisposed: Bool { !core.contains(id) }
    }
}
