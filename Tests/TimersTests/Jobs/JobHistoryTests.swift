import TestSupport
import Testing
@testable import Timers

/// Random histories of up to three instances of a job: crashes, stops, clocks that are set, one-shots that are scheduled, replaced and
/// cancelled, and a store and a lease that answer late or never. ``JobLedger`` looks at every step.
@Suite("Jobs in random histories")
struct JobHistoryTests {
    private static let second = JobWorld.second

    @Test("no run is early, twice or against the policy, and in the end every time has one end")
    func histories() throws {
        let schedules = try Self.schedules()
        for seed in 0..<UInt64(Stress.rounds(300, stress: 6000)) {
            let (text, violations) = Self.history(seed, schedules)
            guard violations == [] else {
                Issue.record("seed \(seed): \(violations.prefix(5)) in \(text)")
                return
            }
        }
    }

    /// Every ten minutes to every few hours, in ten zones, and cron's.
    private static func schedules() throws -> [CalendarSchedule] {
        let zones = [
            "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns",
            "Africa/Casablanca", "Pacific/Apia", "America/Sao_Paulo", "Europe/Dublin",
        ]
        return try zones.flatMap { zone in
            [
                try CalendarSchedule("*:0/10 \(zone)"), try CalendarSchedule("0/2:30 \(zone)", skippedTimes: .runAfter),
                try CalendarSchedule(cron: "*/30 * * * * \(zone)"),
            ]
        }
    }

    /// Days on which clocks change: in Berlin, New York, Lord Howe, Berlin again, and an ordinary one.
    private static let days: [Int64] = [1_774_738_800, 1_772_931_600, 1_775_304_000, 1_792_796_400, 1_772_409_600]

    private static func history(_ seed: UInt64, _ schedules: [CalendarSchedule]) -> (String, [String]) {
        var random = SeededGenerator(seed)
        let hasLease = random.chance(60)
        let isOneShots = random.chance(35)
        let policy = JobPolicy(
            missed: random.pick([.skip, .runOnce, .runAll]),
            within: random.pick([nil, nil, .seconds(1200), .seconds(7200)]),
            overlapping: random.pick([.skip, .queue(max: 2), .parallel(max: 2), .restart]),
            interrupted: random.pick([.abandon, .runAgain(maxAttempts: 3)]),
            timeLimit: random.pick([nil, .seconds(300)]),
            retries: random.pick([nil, .constant(.seconds(30), limit: 2)]),
            cancellationGrace: .seconds(20)
        )
        let start = random.pick(days) + Int64(random.number(0..<7200))
        var world = JobWorld(
            isOneShots ? nil : random.pick(schedules),
            policy,
            instances: hasLease ? 3 : 1,
            timeToLive: hasLease ? .seconds(150) : nil,
            from: start * second,
            random: random
        )
        world.leaseIsLock = random.chance(50)
        let isFaulty = random.chance(60)
        if isFaulty {
            world.faults = JobWorld.Faults(
                lostRequests: random.pick([0, 50, 200]),
                lostAnswers: random.pick([0, 50, 200]),
                maxDelay: random.pick([0, 2, 20]) * second,
                deaf: random.pick([0, 300])
            )
        }
        world.faults.failures = random.pick([0, 300])
        world.runTime = second..<random.pick([5, 200, 1500]) * second
        var isQuiet = !isFaulty && !hasLease && !isOneShots
        var text = "\(world.schedule.map { "\($0)" } ?? "one-shots") \(policy) \(world.faults)"
        for index in world.instances.indices { world.launch(index) }
        // One-shots have to come while others run.
        let (count, wait) = isOneShots ? (10..<30, 1..<300) : (1..<6, 1..<2000)
        for _ in 0..<random.number(count) {
            world.run(for: Int64(random.number(wait)) * second)
            let what = random.number(0..<(isOneShots ? 14 : 9))
            let index = random.number(0..<world.instances.count)
            text += " \(what):\(index)"
            if what < 6 { isQuiet = false }
            happen(what, index, &world, &random)
        }
        world.peace(afterCrash: random.chance(50) && !isQuiet)
        // The slowest clock has passed these times by more than a poll.
        let slowest = world.instances.map(\.wallOffset).min() ?? 0
        let sure = TimerInstant(nanoseconds: world.time + slowest - 300 * second)
        world.ledger.close(world.stored, sure: sure, isQuiet: isQuiet)
        return (text, world.ledger.violations)
    }

    private static func happen(_ what: Int, _ index: Int, _ world: inout JobWorld, _ random: inout SeededGenerator) {
        switch what {
        case 0, 1:
            world.crash(index)
            world.run(for: random.pick([0, 5, 1500]) * second)
            world.launch(index)
        case 2: world.freeze(index, for: random.pick([5, 60, 1500]) * second)
        // No two clocks differ by more than the clock tolerance, so no time comes again.
        case 3:
            let offset = Int64(random.number(-5000..<5000)) * second
            world.setClock(index, by: offset - world.instances[index].wallOffset)
        case 4: world.expireLease()
        case 5:
            world.stop(index)
            let wait: Int64 = random.pick([30, 90, 1500])
            world.run(for: wait * second)
            if wait > 60 { world.checkStopped(index) }
            world.crash(index)
            world.launch(index)
        case 9...:
            let id = random.pick(["a", "b", "c"])
            if what == 9 { return world.withdraw(id, index) }
            world.schedule(id, after: Int64(random.number(-100..<2000)) * second, index)
        default: break
        }
    }
}

extension JobWorld {
    /// What is left is done.
    fileprivate mutating func peace(afterCrash: Bool) {
        faults = JobWorld.Faults()
        runTime = Self.second..<2 * Self.second
        for index in instances.indices {
            if afterCrash { crash(index) }
            instances[index].stoppedUntil = 0
            launch(index)
        }
        run(for: afterCrash ? 900 * Self.second : 2600 * Self.second)
    }

    fileprivate mutating func schedule(_ id: String, after distance: Int64, _ index: Int) {
        let wall = TimerInstant(nanoseconds: time + instances[index].wallOffset + distance)
        ledger.scheduled(JobLedger.Key(id: id, time: wall), over: stored?.entries ?? [])
        changeOneShots(index) { _ = $0.replaceOneShot(id, at: wall) }
    }

    fileprivate mutating func withdraw(_ id: String, _ index: Int) {
        ledger.withdrew(id, stored?.entries ?? [])
        changeOneShots(index) { _ = $0.removeOneShots(id) }
    }
}
