/// How far ticks are put off at random, so that many timers, or the machines of a fleet, do not all act at the same
/// moment. It is used for intervals and for calendars.
///
/// Ticks keep their order: an interval's tick is put off by less than a period. With ``each(below:seed:)``, a
/// calendar's tick is put off by less than the time to the next of the calendar's times.
///
/// A calendar's jitter is an offset of the schedule. It depends on the calendar's time and not on when the program was
/// started, so a restart neither repeats a tick nor loses one.
public struct Jitter: Sendable, Hashable {
    enum Choice: Sendable, Hashable {
        case none
        /// Up to and including `max` nanoseconds.
        case each(max: Int64, seed: UInt64?)
        case once(max: Int64, seed: UInt64?)
        case fixed(Int64)
    }

    let choice: Choice

    /// Nil when there is none, or nothing is random.
    var seed: UInt64? {
        switch choice {
        case .each(_, let seed), .once(_, let seed): seed
        case .none, .fixed: nil
        }
    }

    /// Not at all.
    public static let none = Jitter(choice: .none)

    /// A different time for each tick, below `max`, like systemd's `RandomizedDelaySec=`.
    ///
    /// Without a seed, an interval's times are different in each subscription. A calendar's are derived from the
    /// machine (`/etc/machine-id`, else the host's name), the program's file name, the calendar and its time. They
    /// differ between machines and are the same after a restart. Signals of one program with the same calendar and
    /// bound get the same times unless they have different seeds.
    ///
    /// - Parameters:
    ///   - max: the bound; zero or less is no jitter.
    ///   - seed: makes the times the same in each subscription and on each machine.
    public static func each(below max: Duration, seed: UInt64? = nil) -> Jitter {
        each(max: below(max), seed: seed)
    }

    /// The same time for all ticks of a subscription, below `max`. With a seed taken from the machine, each machine of
    /// a fleet keeps to a time of its own.
    ///
    /// Without a seed, an interval's time is different in each subscription. A calendar's is derived as with
    /// ``each(below:seed:)``, from all but its time.
    ///
    /// - Parameters:
    ///   - max: the bound; zero or less is no jitter.
    ///   - seed: makes the time the same in each subscription and on each machine.
    public static func once(below max: Duration, seed: UInt64? = nil) -> Jitter {
        let max = below(max)
        return Jitter(choice: max > 0 ? .once(max: max, seed: seed) : .none)
    }

    /// A time between zero and `max` that is always the same on this machine for this name, and different on another
    /// machine: systemd's `RandomizedOffsetSec=`. The time between two ticks is then that of the interval or calendar.
    ///
    /// - Parameters:
    ///   - max: the longest time; zero or less is none.
    ///   - name: the purpose, for example the daemon's and the job's name; each name gets a time of its own.
    /// - Throws: ``JitterError`` when the machine has no identity, `/etc/machine-id`.
    public static func perMachine(upTo max: Duration, name: String) throws(JitterError) -> Jitter {
        fixed(upTo: max, machine: try MachineIdentity.id(), name: name)
    }

    package static func fixed(upTo max: Duration, machine: [UInt8], name: String) -> Jitter {
        var random = SeededRandom(seed: MachineIdentity.key(name, machine: machine))
        return fixed(.nanoseconds(Int64.random(in: 0...Swift.max(0, max.saturatedNanoseconds), using: &random)))
    }

    static func fixed(_ delay: Duration) -> Jitter {
        Jitter(choice: .fixed(delay.saturatedNanoseconds))
    }

    private static func each(max: Int64, seed: UInt64?) -> Jitter {
        Jitter(choice: max > 0 ? .each(max: max, seed: seed) : .none)
    }

    private static func below(_ max: Duration) -> Int64 { Swift.max(max.saturatedNanoseconds, 1) - 1 }
}

extension Jitter {
    /// A calendar's jitter.
    func offset(for schedule: CalendarSchedule) -> CalendarOffset {
        func key(_ seed: UInt64?) -> UInt64 { seed ?? MachineIdentity.key(of: schedule) }
        switch choice {
        case .none: return .fixed(0, schedule)
        case .fixed(let delay): return .fixed(delay, schedule)
        case .each(let max, let seed): return .random(limit: max, key: key(seed), schedule)
        case .once(let max, let seed):
            var random = SeededRandom(seed: key(seed))
            return .fixed(.random(in: 0...max, using: &random), schedule)
        }
    }
}
