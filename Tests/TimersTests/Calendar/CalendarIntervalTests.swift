import Bus
import BusTesting
import Foundation
import Glibc
import Testing
import Timers
import SystemPackage

@Suite("interval(calendar:)")
struct CalendarIntervalTests {
    /// 2026-03-02, a Monday, 12:10 UTC.
    static let start = TimerInstant(nanoseconds: 1_772_453_400_000_000_000)
    let time = TestScheduler(wallTime: start)
    let log = Collected<String>()

    @Test("ticks at the calendar's times")
    func ticks() throws {
        let subscription = try listen("*:0/15")
        time.advance(by: .seconds(3600))
        #expect(
            log.all == ["0 5 late 0 missed 0", "1 20 late 0 missed 0", "2 35 late 0 missed 0", "3 50 late 0 missed 0"]
        )
        subscription.dispose()
        time.advance(by: .seconds(3600))
        #expect(log.all.count == 4)
        #expect(time.pendingCount == 0)
    }

    @Test("times that passed while nobody could deliver are one tick, which says how many were missed")
    func missed() throws {
        let subscription = try listen("*:0/15")
        defer { subscription.dispose() }
        time.jump(by: .seconds(36 * 60))
        time.advance(by: .seconds(60 * 60 - 36 * 60))
        #expect(log.all == ["2 35 late 1 missed 2", "3 50 late 0 missed 0"])
    }

    @Test("a calendar of seconds after a year's downtime is one tick, and the count is limited")
    func longDowntime() throws {
        let subscription = try listen("*:*:*")
        defer { subscription.dispose() }
        time.advance()
        time.suspend(for: .seconds(365 * 86400))
        time.advance()
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasSuffix("late 0 missed 100000") == true)
    }

    @Test("a clock set forward past times: one tick; set back: repeated times tick again")
    func steps() throws {
        let subscription = try listen("*:0/15")
        defer { subscription.dispose() }
        time.advance(by: .seconds(600))
        #expect(log.all == ["0 5 late 0 missed 0"])
        time.stepWall(by: .seconds(30 * 60))
        time.advance()
        #expect(log.all.last == "2 35 late 5 missed 1")
        time.stepWall(by: .seconds(-20 * 60))
        time.advance(by: .seconds(15 * 60))
        #expect(log.all.last == "3 35 late 0 missed 0")
        #expect(log.all.count == 3)
    }

    @Test("ends after the calendar's last time")
    func ends() throws {
        let ended = Collected<String>()
        let schedule = try CalendarSchedule("2026-3-2 13:00", local: .utc)
        let subscription = Signals.interval(calendar: schedule, on: time.wall).subscribe(
            next: { _ in ended.add("tick") },
            completed: { ended.add("end") }
        )
        defer { subscription.dispose() }
        time.advance(by: .seconds(3600))
        #expect(ended.all == ["tick", "end"])
    }

    @Test("random delays stay below their limit, differ, and are the same for the same seed")
    func randomDelay() throws {
        func minutesLate(
            seed: UInt64,
            _ jitter: (Duration, UInt64?) -> Jitter = Jitter.each
        ) throws -> [Double] {
            let time = TestScheduler(wallTime: Self.start)
            let late = Collected<Double>()
            let schedule = try CalendarSchedule("hourly", local: .utc)
            let subscription = Signals.interval(
                calendar: schedule,
                jitter: jitter(.seconds(600), seed),
                on: time.wall
            ).subscribe(next: { tick in late.add(Double(tick.scheduled.nanoseconds % 3_600_000_000_000) / 6e10) })
            time.advance(by: .seconds(86400))
            subscription.dispose()
            return late.all
        }
        let delays = try minutesLate(seed: 5)
        #expect(delays.count == 24)
        #expect(delays.allSatisfy { (0...10).contains($0) })
        #expect(Set(delays).count == 24)
        #expect(try minutesLate(seed: 5) == delays)
        #expect(try minutesLate(seed: 6) != delays)

        let once = try minutesLate(seed: 5, Jitter.once)
        #expect(once.count == 24)
        #expect(once.allSatisfy { (0...10).contains($0) })
        #expect(Set(once).count == 1)
        #expect(try minutesLate(seed: 5, Jitter.once) == once)
        #expect(try minutesLate(seed: 6, Jitter.once) != once)
    }

    @Test("a machine's delay is fixed, and differs for another name")
    func fixedDelay() {
        let limit = Duration.seconds(3600)
        func delay(_ machine: String, _ name: String) -> Jitter {
            .fixed(upTo: limit, machine: Array(machine.utf8), name: name)
        }
        #expect(delay("a", "backup") == delay("a", "backup"))
        #expect(delay("a", "backup") != delay("b", "backup"))
        #expect(delay("a", "backup") != delay("a", "rotate"))
        #expect(Set((0..<1000).map { delay("machine \($0)", "backup") }).count > 990)
        #expect(
            Jitter.fixed(upTo: .seconds(-1), machine: [], name: "") == .fixed(upTo: .zero, machine: [1], name: "x")
        )
    }

    // MARK: Stamps

    @Test("after downtime one tick comes at once, and the stamp is written")
    func catchesUp() throws {
        try withFolder { folder in
            let stamp = folder + "/stamp"
            let schedule = try CalendarSchedule("1/4:00", local: .utc)
            func run(_ time: TestScheduler, for duration: Duration) -> [Tick] {
                let ticks = Collected<Tick>()
                let subscription = Signals.interval(calendar: schedule, stampedIn: stamp, on: time.wall).subscribe(
                    next: { ticks.add($0) },
                    failed: { _ in }
                )
                time.advance(by: duration)
                subscription.dispose()
                return ticks.all
            }
            // Never run before: nothing to catch up. Ticks at 13:00.
            let first = run(TestScheduler(wallTime: Self.start), for: .seconds(3600))
            #expect(first.count == 1)
            // Eleven hours later: 17:00 and 21:00 were missed, and then 01:00 arrives.
            let later = Self.start.advanced(by: .seconds(11 * 3600))
            let second = run(TestScheduler(wallTime: later), for: .seconds(2 * 3600))
            #expect(second.map(\.missed) == [1, 0])
            #expect(second.map(\.index) == [1, 2])
            #expect(second.first?.actual == later)
            // A second start right away has nothing to catch up.
            let third = run(TestScheduler(wallTime: later.advanced(by: .seconds(2 * 3600 + 1))), for: .seconds(60))
            #expect(third.isEmpty)
            // The clock was wrong: the stamp lies in the future and is ignored.
            let fourth = run(TestScheduler(wallTime: Self.start), for: .seconds(3600))
            #expect(fourth.map(\.missed) == [0])
        }
    }

    @Test("a stamp that cannot be used fails the signal with the file and the reason")
    func stampFails() throws {
        let errors = Collected<CalendarStampError>()
        let schedule = try CalendarSchedule("hourly", local: .utc)
        for path in ["/nowhere/at/all/stamp", "/proc/self/stamp", "/etc/hostname/stamp"] {
            let subscription = Signals.interval(calendar: schedule, stampedIn: path, on: time.wall).subscribe(
                next: { _ in },
                failed: { errors.add($0) }
            )
            time.advance()
            subscription.dispose()
        }
        #expect(errors.all.map(\.path) == ["/nowhere/at/all/stamp", "/proc/self/stamp", "/etc/hostname/stamp"])
        #expect(errors.all.first?.description.contains("No such file or directory") == true)
        #expect(errors.all.allSatisfy { $0.errno.rawValue != 0 })
    }

    @Test("a stamp that is no plain file fails before the first tick, and holds up nobody")
    func unusualStamps() throws {
        try withFolder { folder in
            mkfifo(folder + "/pipe", 0o644)
            mkdir(folder + "/folder", 0o755)
            symlink(folder + "/loop", folder + "/loop")
            let heard = Collected<String>()
            for name in ["pipe", "folder", "loop"] {
                let subscription = Signals.interval(
                    calendar: try CalendarSchedule("*:*:*", local: .utc),
                    stampedIn: folder + "/" + name,
                    on: time.wall
                ).subscribe(next: { _ in heard.add("tick") }, failed: { heard.add("\(name) \($0.errno.rawValue)") })
                time.advance(by: .seconds(10))
                subscription.dispose()
            }
            #expect(heard.all == ["pipe \(ENXIO)", "folder \(EISDIR)", "loop \(ELOOP)"])
        }
    }

    @Test("a stamp years ahead is corrected, and one years ago is one tick")
    func distantStamps() throws {
        try withFolder { folder in
            let stamp = folder + "/stamp"
            func run(_ start: TimerInstant) throws -> [Tick] {
                let time = TestScheduler(wallTime: start)
                let ticks = Collected<Tick>()
                let subscription = Signals.interval(
                    calendar: try CalendarSchedule("hourly", local: .utc),
                    stampedIn: stamp,
                    on: time.wall
                ).subscribe(next: { ticks.add($0) }, failed: { Issue.record("\($0)") })
                time.advance()
                subscription.dispose()
                return ticks.all
            }
            let year = Duration.seconds(365 * 86_400)
            let missed = try [
                Self.start.advanced(by: year * 10),
                // The clock was wrong by ten years. What is due while the program does not run is caught up again.
                Self.start,
                Self.start.advanced(by: .seconds(7200)),
                Self.start.advanced(by: year),
                // A machine without a clock of its own starts in 1970, and then its time is set.
                TimerInstant(nanoseconds: 20_000_000_000),
                Self.start,
            ].map { try run($0).map(\.missed) }
            #expect(missed == [[], [], [1], [365 * 24 - 3], [], [100_000]])
        }
    }

    @Test("two programs with one stamp both get all ticks")
    func sharedStamp() throws {
        try withFolder { folder in
            let ticks = Collected<TimerInstant>()
            let schedule = try CalendarSchedule("hourly", local: .utc)
            let both = (0..<2).map { _ in
                Signals.interval(calendar: schedule, stampedIn: folder + "/stamp", on: time.wall)
                    .subscribe(next: { ticks.add($0.scheduled) }, failed: { Issue.record("\($0)") })
            }
            time.advance(by: .seconds(3 * 3600))
            #expect(ticks.all.count == 6)
            for subscription in both { subscription.dispose() }
            let third = Signals.interval(calendar: schedule, stampedIn: folder + "/stamp", on: time.wall)
                .subscribe(next: { ticks.add($0.scheduled) }, failed: { Issue.record("\($0)") })
            time.advance()
            #expect(ticks.all.count == 6)
            third.dispose()
        }
    }

    private func listen(_ text: String) throws -> any Disposable {
        let schedule = try CalendarSchedule(text, local: .utc)
        return Signals.interval(calendar: schedule, on: time.wall).subscribe(next: { [log] tick in
            let minutes = tick.scheduled.nanoseconds - Self.start.nanoseconds
            log.add(
                "\(tick.index) \(minutes / 60_000_000_000) late \(tick.lateness.components.seconds / 60) missed \(tick.missed)"
            )
        })
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stamp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }
}
