import TestSupport
import Testing
@testable import Timers

/// Random histories of up to three instances of a job: crashes, stops, clocks that are set, and a store and a lease that answer late or
/// never. ``JobWorld`` looks at every step.
@Suite("Jobs in random histories")
struct JobHistoryTests {
    private struct Outcome {
        var world: JobWorld
        var text: String
    }

    @Test("no run is early, twice or against the policy, and in the end every time is accounted for")
    func histories() throws {
        let schedules = try Self.schedules()
        for seed in 0..<UInt64(Stress.rounds(20, stress: 150)) {
            let outcome = Self.history(seed, schedules)
            let violations = outcome.world.violations + Self.violations(of: outcome.world)
            #expect(violations == [], "seed \(seed): \(outcome.text)")
            if !violations.isEmpty { return }
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

    /// Days on which clocks change: in Berlin, New York, Lord Howe, and an ordinary one.
    private static let days: [Int64] = [1_774_738_800, 1_772_931_600, 1_775_304_000, 1_792_796_400, 1_772_409_600]

    private static func history(_ seed: UInt64, _ schedules: [CalendarSchedule]) -> Outcome {
        var random = SeededGenerator(seed)
        let hasLease = random.chance(60)
        let policy = JobPolicy(
            missed: random.pick([.skip, .runOnce, .runAll]),
            within: random.pick([nil, nil, .seconds(1200), .seconds(7200)]),
            overlapping: random.pick([.skip, .queue(max: 2), .parallel(max: 2), .restart]),
            interrupted: random.pick([.abandon, .runAgain(maxAttempts: 3)]),
            timeLimit: random.pick([nil, .seconds(900)]),
            retries: random.pick([nil, .constant(.seconds(30), limit: 2)]),
            cancellationGrace: .seconds(20)
        )
        var world = JobWorld(
            random.pick(schedules),
            policy,
            instances: hasLease ? 3 : 1,
            timeToLive: hasLease ? .seconds(30) : nil,
            from: TimerInstant(nanoseconds: (random.pick(days) + Int64(random.number(0..<7200))) * JobWorld.second),
            seed: seed
        )
        let isFaulty = random.chance(70)
        if isFaulty {
            world.faults = JobWorld.Faults(
                lostRequests: random.pick([0, 50, 200]),
                lostAnswers: random.pick([0, 50, 200]),
                maxDelay: random.pick([0, 2, 20]) * JobWorld.second,
                deaf: random.pick([0, 300]),
                failures: random.pick([0, 300])
            )
        }
        world.runTime = JobWorld.second..<random.pick([5, 700, 3000]) * JobWorld.second
        var text = "\(world.schedule) \(policy)"
        for index in world.instances.indices { world.launch(index) }
        for _ in 0..<random.number(1..<12) {
            world.run(for: .seconds(random.number(1..<4000)))
            let index = random.number(0..<world.instances.count)
            let what = random.number(0..<8)
            text += " \(what):\(index)"
            switch what {
            case 0, 1:
                world.crash(index)
                world.run(for: .seconds(random.pick([0, 5, 3000])))
                world.launch(index)
            case 2: world.freeze(index, for: Int64(random.pick([5, 60, 4000])) * JobWorld.second)
            // No two clocks differ by more than the clock tolerance, so no time comes again.
            case 3:
                let offset = Int64(random.number(-5000..<5000)) * JobWorld.second
                world.setClock(index, by: offset - world.instances[index].wallOffset)
            case 4: world.expireLease()
            case 5:
                world.stop(index)
                world.run(for: .seconds(30))
                world.crash(index)
                world.launch(index)
            default: break
            }
        }
        // Peace: what is left is done.
        world.faults = JobWorld.Faults()
        world.runTime = JobWorld.second..<2 * JobWorld.second
        for index in world.instances.indices { world.launch(index) }
        world.run(for: .seconds(3 * 3600))
        return Outcome(world: world, text: text)
    }

    private static func violations(of world: JobWorld) -> [String] {
        var found: [String] = []
        guard let stored = world.stored else { return ["there is no record"] }
        // The slowest clock has passed these times by more than a poll.
        let slowest = world.instances.map(\.wallOffset).min() ?? 0
        let sure = TimerInstant(nanoseconds: world.time + slowest - 60 * JobWorld.second)
        if let next = world.schedule.next(after: stored.done), next <= sure { found.append("\(next) is not done") }
        let fastest = world.instances.map { $0.wallOffset }.max() ?? 0
        for entry in stored.entries where entry.time.nanoseconds < world.time + fastest - 60 * JobWorld.second {
            found.append("\(entry) is left")
        }
        // A run that may not be repeated begins once for each time, and each time is placed once.
        let first = world.starts.filter { $0.run.attempt == 1 }.map(\.run.time)
        if Set(first).count != first.count { found.append("a first attempt begins twice") }
        if Set(world.placed).count != world.placed.count { found.append("a time is placed twice") }
        if world.policy.interrupted == .abandon, world.policy.retries == nil,
            world.starts.contains(where: { $0.run.attempt > 1 })
        {
            found.append("a run begins again")
        }
        return found
    }
}
