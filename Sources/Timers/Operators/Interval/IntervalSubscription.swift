public import Bus

/// Sends the ticks. Until the subscription ends, its timer keeps it, and so the scheduler does; while the observer
/// pauses, the request to be called back keeps it.
///
/// Inlinable, because caches have gone cold when a tick comes, and looking up generic types then takes microseconds.
@usableFromInline
final class IntervalSubscription<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Sendable
where Downstream.Value == Tick, Downstream.Failure == Never {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    @usableFromInline let timer = SerialTimer()
    @usableFromInline let schedule: Lock<IntervalSchedule>

    @inlinable
    init(_ output: SerialObserver<Downstream>, _ schedule: IntervalSchedule, _ scheduler: Time) {
        self.output = output
        self.scheduler = scheduler
        self.schedule = Lock(schedule)
    }

    @inlinable
    func start() {
        output.resources.add(timer)
        arm()
    }

    @inlinable
    func arm() {
        timer.schedule(at: schedule.withLock { $0.wake }, on: scheduler) { self.fire() }
    }

    @inlinable
    func fire() {
        let now = scheduler.now
        let demand = output.nextIfReady { schedule.withLock { $0.tick(at: now) } }
        if demand == .more { arm() } else { pause(demand) }
    }

    @usableFromInline
    func pause(_ demand: Demand) {
        switch demand == .pause ? output.whenReady({ self.resume() }) : demand {
        case .more: arm()
        case .pause: break
        case .stop: output.terminate(.completed)
        }
    }

    private func resume() {
        let now = scheduler.now
        schedule.withLock { $0.resume(at: now) }
        arm()
    }
}

/// When the ticks of an interval are due, and which of them come.
@usableFromInline
struct IntervalSchedule: Sendable {
    private let period: Int64
    private let missed: MissedTicks
    private let tolerance: Int64
    private let jitter: Jitter
    private var random: SeededRandom
    /// The next tick's place in the beat, its number, and how far it is put off.
    private var place: Int64
    private var index = 0
    private var offset: Int64 = 0
    /// Ticks that came due and were left out since the last one, because the observer paused.
    private var leftOut = 0

    @usableFromInline
    init(
        start: TimerInstant,
        period: Duration,
        first: IntervalStart,
        missed: MissedTicks = .skip,
        tolerance: Duration = .zero,
        jitter: Jitter = .none
    ) {
        self.period = max(period.saturatedNanoseconds, TickGrid.minPeriod)
        self.missed = missed
        // A larger tolerance would make ticks be missed because they are waited for.
        self.tolerance = min(max(tolerance.saturatedNanoseconds, 0), self.period / 2)
        self.jitter = jitter
        random = SeededRandom(seed: jitter.seed)
        switch first {
        case .immediately: place = start.nanoseconds
        case .afterPeriod: place = start.nanoseconds.later(by: self.period)
        case .at(let instant) where instant >= start: place = instant.nanoseconds
        case .at(let instant):
            place = TickGrid(origin: instant.nanoseconds, period: self.period).tick(notBefore: start.nanoseconds)
        }
        offset = nextOffset()
    }

    /// When the next tick is due.
    var due: TimerInstant { TimerInstant(nanoseconds: place.later(by: offset)) }

    /// When to wake for it: not before it is due, and as much later as is tolerated and meets other timers.
    @usableFromInline var wake: TimerInstant {
        let due = due.nanoseconds
        let latest = due.later(by: tolerance)
        guard due > 0, latest > due, latest < .max else { return self.due }
        // The roundest number between the two, which other timers will choose as well.
        let bits = Int64(Int64.bitWidth - 1 - ((due - 1) ^ latest).leadingZeroBitCount)
        return TimerInstant(nanoseconds: (latest &>> bits) &<< bits)
    }

    /// The tick that comes at `now`; due ticks that do not come are counted in it.
    @usableFromInline
    mutating func tick(at now: TimerInstant) -> Tick {
        let due = due
        // Unsigned, so that the distance between any two instants fits; a clock that is early by itself misses nothing.
        let late = now < due ? 0 : UInt64(bitPattern: now.nanoseconds &- due.nanoseconds)
        let behind = Int(late / UInt64(period))
        let skipped =
            switch missed {
            case .skip: behind
            case .catchUp(let limit): max(0, behind - max(0, limit))
            case .delay: 0
            }
        let skippedTime = Int64(skipped) &* period
        let scheduled = TimerInstant(nanoseconds: due.nanoseconds &+ skippedTime)
        let tick = Tick(
            index: index &+ skipped,
            scheduled: scheduled,
            actual: max(now, scheduled),
            missed: leftOut &+ skipped
        )
        index = tick.index &+ 1
        leftOut = 0
        let came = missed == .delay && behind > 0 ? now.nanoseconds &- offset : place &+ skippedTime
        place = came.later(by: period)
        if case .each = jitter.choice { offset = nextOffset() }
        return tick
    }

    /// The observer is ready again. If missed ticks are skipped, ticks that came due meanwhile are left out and counted; else
    /// they are late.
    mutating func resume(at now: TimerInstant) {
        let due = due
        guard missed == .skip, due < now else { return }
        // Unsigned, so that the distance between any two instants fits. A tick that is due just now is in time.
        let passed = Int((UInt64(bitPattern: now.nanoseconds &- due.nanoseconds) - 1) / UInt64(period))
        place = (place &+ Int64(passed) &* period).later(by: period)
        index = index &+ passed &+ 1
        leftOut = leftOut &+ passed &+ 1
    }

    private mutating func nextOffset() -> Int64 {
        switch jitter.choice {
        case .none: 0
        case .fixed(let delay): min(delay, period - 1)
        case .each(let max, _), .once(let max, _): .random(in: 0...min(max, period - 1), using: &random)
        }
    }
}

/// One value of an interval.
public struct Tick: Sendable, Hashable {
    /// The tick's number, from zero. Missed ticks have numbers too, so after a gap it jumps.
    public let index: Int
    /// When the tick was due: the interval's start plus a whole number of periods, regardless of earlier delays.
    public let scheduled: TimerInstant
    /// When it came, never before ``scheduled``.
    public let actual: TimerInstant
    /// How many ticks between the previous one and this one came due and were skipped: they were too late, or the
    /// observer paused.
    public let missed: Int

    /// For tests of code that hears ticks.
    public init(index: Int, scheduled: TimerInstant, actual: TimerInstant, missed: Int) {
        self.index = index
        self.scheduled = scheduled
        self.actual = actual
        self.missed = missed
    }

    /// How late it came.
    public var lateness: Duration { scheduled.duration(to: actual) }
}
