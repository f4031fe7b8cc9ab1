public import Bus
public import Timers

/// A scheduler on the boot clock of virtual time: ``TestScheduler/boot``. It goes on while the machine is suspended.
public struct VirtualBootScheduler: TimedScheduler {
    let time: TestScheduler

    public var now: TimerInstant { time.now(of: .boot) }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        time.schedule(at: deadline, on: .boot, work)
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) { time.schedule(work) }

    public var isCurrent: Bool { time.isCurrent }
}

/// A scheduler on the wall clock of virtual time: ``TestScheduler/wall``. ``TestScheduler/stepWall(by:)`` sets it.
public struct VirtualWallScheduler: WallTimedScheduler {
    let time: TestScheduler

    public var now: TimerInstant { time.now(of: .wall) }

    public func schedule(at deadline: TimerInstant, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        time.schedule(at: deadline, on: .wall, work)
    }

    public func schedule(_ work: @escaping @Sendable () -> Void) { time.schedule(work) }

    public var isCurrent: Bool { time.isCurrent }

    public var steps: AnySignal<ClockStep, Never> { time.steps.eraseToAnySignal() }
}
