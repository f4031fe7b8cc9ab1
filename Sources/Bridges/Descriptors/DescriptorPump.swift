package import Bus
import CLinux
import Glibc
package import Loop
import Synchronization

/// Runs steps for a descriptor whenever it is ready: one at a time, on a scheduler.
///
/// The event loop reports a ready descriptor once, and watches it again when the steps are over. So nothing is read
/// or written while a step runs, nor while an observer pauses (``rest(until:)``): the kernel holds the bytes, and
/// a slow observer slows the other end.
///
/// It lives as long as it waits for the descriptor, which it closes with ``dispose()``.
package final class DescriptorPump: Disposable {
    /// The result of a step.
    package enum Step {
        /// Something; there may be more.
        case again
        /// Nothing at the moment.
        case wait
        /// Nothing can be done, whether or not the descriptor is ready, before ``DescriptorPump/wake()``.
        case rest
        /// There is no more to do.
        case over
    }

    private enum Phase {
        /// Not started, or waiting for ``wake()``.
        case idle
        case armed
        /// Steps are scheduled or running; `thread` is where, once they are.
        case busy(thread: UInt, isWoken: Bool)
        case over
    }

    private struct State {
        var phase = Phase.idle
        var watch: EventLoop.Watch?
    }

    /// After so many steps in a row other work on the scheduler runs.
    private static let burst = 256

    package let descriptor: OwnedDescriptor
    private let events: ReadyEvents
    private let scheduler: any Scheduler
    private let step: @Sendable (DescriptorPump, ReadyEvents) -> Step
    private let failed: @Sendable (DescriptorError) -> Void
    private let state = Lock(State())
    private let isOver = Atomic<Bool>(false)
    /// Whether an observer was asked to call back, and has not done so.
    private let isAwaited = Atomic<Bool>(false)

    /// - Parameters:
    ///   - descriptor: the descriptor to wait for.
    ///   - events: the events to wait for.
    ///   - scheduler: where steps run.
    ///   - step: runs one step; it is given the events that the descriptor was ready for. It is given the pump, which
    ///     it must not keep.
    ///   - failed: called, on the scheduler, when the descriptor cannot be waited for any more.
    package init(
        _ descriptor: OwnedDescriptor,
        for events: ReadyEvents,
        on scheduler: any Scheduler,
        step: @escaping @Sendable (DescriptorPump, ReadyEvents) -> Step,
        failed: @escaping @Sendable (DescriptorError) -> Void
    ) {
        self.descriptor = descriptor
        self.events = events.union(.once)
        self.scheduler = scheduler
        self.step = step
        self.failed = failed
    }

    package var isDisposed: Bool { isOver.load(ordering: .acquiring) }

    /// Begins to wait. A descriptor that cannot be waited for because it is always ready, such as a file's, gets its
    /// steps at once.
    package func start() throws(DescriptorError) {
        let isAlwaysReady = try state.withLock { state throws(DescriptorError) -> Bool in
            guard case .idle = state.phase else { return false }
            do throws(EventLoopError) {
                // The loop may report it before this returns; it then waits for the lock.
                state.watch = try EventLoop.shared.watch(descriptor.number, for: events) { self.ready($0) }
                state.phase = .armed
                return false
            } catch {
                guard error.code == EPERM else { throw DescriptorError(error) }
                state.phase = .busy(thread: 0, isWoken: false)
                return true
            }
        }
        if isAlwaysReady { schedule(events) }
    }

    /// Runs steps now, whether or not the descriptor is ready.
    package func wake() {
        let isIdle = state.withLock { state -> Bool in
            switch state.phase {
            case .idle, .armed:
                state.phase = .busy(thread: 0, isWoken: false)
                return true
            case .busy(let thread, _):
                state.phase = .busy(thread: thread, isWoken: true)
                return false
            case .over: return false
            }
        }
        if isIdle { schedule([]) }
    }

    /// Called in a step: asks an observer that pauses to call back, and runs the next step then. The descriptor is not
    /// watched meanwhile.
    ///
    /// - Parameter whenReady: the observer's `Observer.whenReady`.
    /// - Returns: the result of the step: ``Step/rest``, or that the observer is ready already, or that nothing more is
    ///   wanted.
    package func rest(until whenReady: (@escaping @Sendable () -> Void) -> Demand) -> Step {
        // Others may ask for a step while the observer pauses. One request is enough.
        guard !isAwaited.exchange(true, ordering: .acquiringAndReleasing) else { return .rest }
        let demand = whenReady {
            // In this order: a step that still finds the request standing is followed by another.
            self.isAwaited.store(false, ordering: .releasing)
            self.wake()
        }
        if demand == .pause { return .rest }
        isAwaited.store(false, ordering: .releasing)
        return demand == .more ? .again : .over
    }

    /// Called in a step: opens the descriptor's file anew, so that calls do not wait, and watches that one from then
    /// on. False where that is not possible.
    package func reopenNonblocking() -> Bool {
        // The kernel watches open files, and would go on with the previous one.
        state.withLock { $0.watch.take() }?.dispose()
        return clinux_reopen_nonblocking(descriptor.number) == 0
    }

    /// Ends it, and closes the descriptor: at once, unless another thread runs a step just now, which then does.
    package func dispose() {
        isOver.store(true, ordering: .releasing)
        let (watch, closes) = state.withLock { state -> (EventLoop.Watch?, Bool) in
            let watch = state.watch.take()
            if case .busy(let thread, _) = state.phase, thread != 0, thread != pthreadSelf() { return (watch, false) }
            state.phase = .over
            return (watch, true)
        }
        watch?.dispose()
        if closes { descriptor.close() }
    }

    private func ready(_ events: ReadyEvents) {
        let isIdle = state.withLock { state -> Bool in
            guard case .armed = state.phase else { return false }
            state.phase = .busy(thread: 0, isWoken: false)
            return true
        }
        if isIdle { schedule(events) }
    }

    private func schedule(_ events: ReadyEvents) {
        scheduler.schedule { self.takeSteps(events) }
    }

    private func takeSteps(_ events: ReadyEvents) {
        guard enter() else { return }
        for _ in 0..<Self.burst {
            let found = step(self, events)
            if isOver.load(ordering: .acquiring) || found == .over { return finish() }
            if found == .rest, !rest() { return }
            if found == .wait, !waitAgain() { return }
        }
        leave()
        schedule(events)
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard case .busy(_, let isWoken) = state.phase else { return false }
            state.phase = .busy(thread: pthreadSelf(), isWoken: isWoken)
            return true
        }
    }

    /// The steps go on later, perhaps on another thread.
    private func leave() {
        state.withLock { state in
            if case .busy(_, let isWoken) = state.phase { state.phase = .busy(thread: 0, isWoken: isWoken) }
        }
        if isOver.load(ordering: .acquiring) { finish() }
    }

    private func finish() {
        let watch = state.withLock { state -> EventLoop.Watch? in
            state.phase = .over
            return state.watch.take()
        }
        isOver.store(true, ordering: .releasing)
        watch?.dispose()
        descriptor.close()
    }

    /// Whether to run another step, because it was woken meanwhile.
    private func rest() -> Bool {
        let isWoken = becomes(.idle)
        // If it was disposed of between the step and here, the closing was left to this thread.
        if !isWoken, isOver.load(ordering: .acquiring) { finish() }
        return isWoken
    }

    /// The same, and looks at the descriptor again.
    private func waitAgain() -> Bool {
        if becomes(.armed) { return true }
        if isOver.load(ordering: .acquiring) {
            finish()
            return false
        }
        do throws(DescriptorError) {
            try arm()
        } catch {
            failed(error)
            finish()
        }
        return false
    }

    /// Changes from running steps to another phase; returns false when a wake prevents it.
    private func becomes(_ phase: Phase) -> Bool {
        state.withLock { state -> Bool in
            guard case .busy(let thread, let isWoken) = state.phase else { return false }
            state.phase = isWoken ? .busy(thread: thread, isWoken: false) : phase
            return isWoken
        }
    }

    private func arm() throws(DescriptorError) {
        do throws(EventLoopError) {
            let watch = try state.withLock { state throws(EventLoopError) -> EventLoop.Watch? in
                if let watch = state.watch { return watch }
                guard case .armed = state.phase else { return nil }
                state.watch = try EventLoop.shared.watch(descriptor.number, for: events) { self.ready($0) }
                return nil
            }
            try watch?.again()
        } catch {
            throw DescriptorError(error)
        }
    }
}
