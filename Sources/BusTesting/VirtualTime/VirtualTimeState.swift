import Timers

/// Virtual time as a value: three clocks, a wheel for each, and the end of the present drive.
struct VirtualTimeState: ~Copyable {
    private var monotonic = TimerWheel<TimerWork>(startingAt: 0, resolutionBits: 0)
    private var boot = TimerWheel<TimerWork>(startingAt: 0, resolutionBits: 0)
    private var wall = TimerWheel<TimerWork>(startingAt: 0, resolutionBits: 0)
    /// The time of the monotonic clock.
    private(set) var now: Int64 = 0
    /// How much further the boot clock is: the time spent suspended.
    private var suspended: Int64 = 0
    /// How much further the wall clock is.
    private var wallOffset: Int64 = 0
    /// The target of the present drive.
    private var target: Int64?
    /// The time when it has ended, unless work took longer.
    private var end = Int64.min

    init() {}

    var count: Int { monotonic.count + boot.count + wall.count }

    func now(of clock: VirtualClock) -> Int64 { now.adding(offset(of: clock)) }

    // MARK: Timers

    mutating func schedule(at deadline: Int64, on clock: VirtualClock, _ work: TimerWork) -> TimerToken {
        switch clock {
        case .monotonic: monotonic.schedule(at: deadline, work)
        case .boot: boot.schedule(at: deadline, work)
        case .wall: wall.schedule(at: deadline, work)
        }
    }

    mutating func cancel(_ token: TimerToken, on clock: VirtualClock) -> TimerWork? {
        switch clock {
        case .monotonic: monotonic.cancel(token)
        case .boot: boot.cancel(token)
        case .wall: wall.cancel(token)
        }
    }

    mutating func reschedule(_ token: TimerToken, to deadline: Int64, on clock: VirtualClock) -> Bool {
        switch clock {
        case .monotonic: monotonic.reschedule(token, to: deadline)
        case .boot: boot.reschedule(token, to: deadline)
        case .wall: wall.reschedule(token, to: deadline)
        }
    }

    // MARK: Events of the machine

    mutating func jump(by distance: Int64) { now = max(now, now.adding(distance)) }

    mutating func suspend(for distance: Int64) {
        guard distance > 0 else { return }
        suspended = suspended.adding(distance)
        wallOffset = wallOffset.adding(distance)
    }

    mutating func stepWall(by distance: Int64) {
        wallOffset = wallOffset.adding(distance)
        let time = now(of: .wall)
        if wall.isAhead(of: time) { wall.rewind(to: time) }
    }

    // MARK: Driving

    /// - Returns: whether this is the outermost drive, which runs the due work.
    mutating func beginDrive(to time: Int64, endingThere: Bool) -> Bool {
        if endingThere { end = max(end, time) }
        defer { target = max(target ?? .min, time) }
        return target == nil
    }

    /// The next piece of work; nil ends the drive.
    mutating func takeNext() -> TimerWork? {
        while let (clock, due) = nextDue(), due <= max(target ?? .min, now) {
            guard let (deadline, work) = pop(clock, at: max(due, now).adding(offset(of: clock))) else { continue }
            now = max(now, deadline.subtracting(offset(of: clock)))
            return work
        }
        now = max(now, end)
        target = nil
        end = .min
        return nil
    }

    /// The clock on which something is due first, and its time on the monotonic clock.
    private func nextDue() -> (VirtualClock, Int64)? {
        var first: (VirtualClock, Int64)?
        for clock in VirtualClock.allCases {
            // A timer for the end of a clock's range never comes, as on the real clock.
            guard let deadline = nextDeadline(of: clock), deadline < .max else { continue }
            let time = deadline.subtracting(offset(of: clock))
            if time == .max || first.map({ $0.1 <= time }) == true { continue }
            first = (clock, time)
        }
        return first
    }

    private func nextDeadline(of clock: VirtualClock) -> Int64? {
        switch clock {
        case .monotonic: monotonic.nextDeadline
        case .boot: boot.nextDeadline
        case .wall: wall.nextDeadline
        }
    }

    private mutating func pop(_ clock: VirtualClock, at time: Int64) -> (deadline: Int64, work: TimerWork)? {
        let expired =
            switch clock {
            case .monotonic: monotonic.popExpired(at: time)
            case .boot: boot.popExpired(at: time)
            case .wall: wall.popExpired(at: time)
            }
        return expired.map { ($0.deadline, $0.payload) }
    }

    private func offset(of clock: VirtualClock) -> Int64 {
        switch clock {
        case .monotonic: 0
        case .boot: suspended
        case .wall: wallOffset
        }
    }
}

extension Int64 {
    /// Saturates at the ends of the range.
    fileprivate func adding(_ distance: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(distance)
        return overflow ? (distance < 0 ? .min : .max) : sum
    }

    /// The same.
    fileprivate func subtracting(_ distance: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(distance)
        return overflow ? (distance < 0 ? .max : .min) : difference
    }
}
